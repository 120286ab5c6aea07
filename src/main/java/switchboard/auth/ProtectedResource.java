package switchboard.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import switchboard.call.Json;

/**
 * The gateway as an OAuth protected resource. Each view is a resource of its own: its identifier (RFC 8707) is its
 * URL, and its metadata (RFC 9728) name the token issuers. Immutable.
 */
public final class ProtectedResource {
    /** Prefix of the path of a resource's metadata (RFC 9728 section 3.1). */
    public static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    private static final String ENDPOINT = "/mcp";

    private final String origin;
    private final String prefix;
    private final List<String> issuers;
    private final List<String> baseScopes;

    /**
     * A gateway with the public URL {@code publicUrl}, with or without {@code /mcp} at its end.
     *
     * @param issuers identifiers of the accepted issuers; at least one
     * @param baseScopes the scopes that a client should request first; may be empty
     */
    public ProtectedResource(URI publicUrl, List<String> issuers, List<String> baseScopes) {
        String base = normalized(publicUrl.toString());
        String root = base.endsWith(ENDPOINT) ? base.substring(0, base.length() - ENDPOINT.length()) : base;
        URI parts = URI.create(root);
        this.prefix = parts.getRawPath();
        this.origin = root.substring(0, root.length() - prefix.length());
        this.issuers = List.copyOf(issuers);
        this.baseScopes = List.copyOf(baseScopes);
    }

    /** The path before {@code /mcp} that a proxy adds; usually empty. */
    public String prefix() {
        return prefix;
    }

    /** The scopes that a client should request first. */
    List<String> baseScopes() {
        return baseScopes;
    }

    /** The identifier of a view: its URL. */
    String resource(String view) {
        return origin + path(view);
    }

    /** The URL of a view's metadata. */
    URI metadataUrl(String view) {
        return URI.create(origin + WELL_KNOWN + path(view));
    }

    /** The metadata of a view. */
    public ObjectNode metadata(String view) {
        ObjectNode metadata = Json.object().put("resource", resource(view));
        issuers.forEach(metadata.putArray("authorization_servers")::add);
        metadata.putArray("bearer_methods_supported").add("header");
        if (!baseScopes.isEmpty()) {
            baseScopes.forEach(metadata.putArray("scopes_supported")::add);
        }
        return metadata.put("resource_name", "Switchboard");
    }

    /**
     * Whether a token for {@code audience} may be used at {@code view}: it is for that view, or for the whole gateway.
     */
    boolean isFor(String view, Collection<String> audience) {
        Set<String> accepted = Set.of(origin + prefix, resource(view));
        return audience.stream().map(ProtectedResource::normalized).anyMatch(accepted::contains);
    }

    private String path(String view) {
        return prefix + ENDPOINT + (view.isEmpty() ? "" : "/" + view);
    }

    /** Normalizes a URL (RFC 3986 section 6.2): scheme and host in lower case, no default port, no slash at the end. */
    private static String normalized(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException _) {
            return url;
        }
        if (uri.getScheme() == null
                || uri.getHost() == null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            return url;
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = uri.getPort() < 0 || uri.getPort() == (scheme.equals("https") ? 443 : 80);
        String path = uri.getRawPath().endsWith("/")
                ? uri.getRawPath().substring(0, uri.getRawPath().length() - 1)
                : uri.getRawPath();
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + (usual ? "" : ":" + uri.getPort()) + path;
    }
}
