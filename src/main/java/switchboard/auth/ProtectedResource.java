package switchboard.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import switchboard.call.Json;

/**
 * The gateway as an OAuth protected resource. Each view is a resource of its own: its identifier (RFC 8707) is its
 * URL, and its metadata (RFC 9728) name the token issuers. Immutable.
 */
public final class ProtectedResource {
    /** Prefix of the path of a resource's metadata (RFC 9728 section 3.1). */
    public static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    private final PublicUrl gateway;
    private final List<String> issuers;
    private final List<String> baseScopes;

    /**
     * The protected resources of a gateway.
     *
     * @param gateway where callers reach it
     * @param issuers identifiers of the accepted issuers; at least one
     * @param baseScopes the scopes that a client should request first; may be empty
     */
    public ProtectedResource(PublicUrl gateway, List<String> issuers, List<String> baseScopes) {
        this.gateway = gateway;
        this.issuers = List.copyOf(issuers);
        this.baseScopes = List.copyOf(baseScopes);
    }

    /** The path before {@code /mcp} that a proxy adds; usually empty. */
    public String prefix() {
        return gateway.prefix();
    }

    /** The scopes that a client should request first. */
    List<String> baseScopes() {
        return baseScopes;
    }

    /** The identifier of a view: its URL. */
    String resource(String view) {
        return gateway.origin() + gateway.path(view);
    }

    /** The URL of a view's metadata. */
    URI metadataUrl(String view) {
        return URI.create(gateway.origin() + WELL_KNOWN + gateway.path(view));
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
        Set<String> accepted = Set.of(gateway.origin() + gateway.prefix(), resource(view));
        return audience.stream().map(PublicUrl::normalized).anyMatch(accepted::contains);
    }
}
