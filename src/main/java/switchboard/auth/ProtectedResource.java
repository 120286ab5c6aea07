package switchboard.auth;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Json;

/**
 * The gateway as an OAuth protected resource. Each view is a resource of its own: its identifier (RFC 8707) is its
 * URL, and its metadata (RFC 9728) name the token issuers. Immutable.
 */
public final class ProtectedResource {
    /** Prefix of the path of a resource's metadata (RFC 9728 section 3.1). */
    public static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    private static final String LOCAL = "http://localhost";

    private final PublicUrl publicUrl;
    private final List<String> issuers;
    private final List<String> baseScopes;
    private final TokenBinding binding;

    /**
     * The gateway at {@code publicUrl}.
     *
     * @param issuers identifiers of the accepted issuers; at least one
     * @param baseScopes the scopes that a client should request first; may be empty
     * @param binding how tokens are bound to their clients
     */
    public ProtectedResource(PublicUrl publicUrl, List<String> issuers, List<String> baseScopes, TokenBinding binding) {
        this.publicUrl = publicUrl;
        this.issuers = List.copyOf(issuers);
        this.baseScopes = List.copyOf(baseScopes);
        this.binding = binding;
    }

    /** The same, where tokens need not be bound and no client has a certificate. */
    public ProtectedResource(PublicUrl publicUrl, List<String> issuers, List<String> baseScopes) {
        this(publicUrl, issuers, baseScopes, TokenBinding.OPTIONAL);
    }

    /** How tokens are bound to their clients. */
    TokenBinding binding() {
        return binding;
    }

    /**
     * The URL of a request as its client sees it, normalized; empty if it can't be.
     *
     * @param path the path as this server received it, without the part that a proxy adds
     */
    Optional<String> target(String path) {
        // First without the part of the proxy, which dots of a path must not lead out of.
        return TargetUri.normalized(LOCAL + path)
                .flatMap(url ->
                        TargetUri.normalized(publicUrl.origin() + publicUrl.prefix() + url.substring(LOCAL.length())));
    }

    /** The path before {@code /mcp} that a proxy adds; usually empty. */
    public String prefix() {
        return publicUrl.prefix();
    }

    /** The scopes that a client should request first. */
    List<String> baseScopes() {
        return baseScopes;
    }

    /** The identifier of a view: its URL. */
    String resource(String view) {
        return publicUrl.origin() + publicUrl.path(view);
    }

    /** The URL of a view's metadata. */
    URI metadataUrl(String view) {
        return URI.create(publicUrl.origin() + WELL_KNOWN + publicUrl.path(view));
    }

    /** The metadata of a view. */
    public ObjectNode metadata(String view) {
        ObjectNode metadata = Json.object().put("resource", resource(view));
        issuers.forEach(metadata.putArray("authorization_servers")::add);
        boolean proofsOnly = binding.required() == TokenBinding.Required.DPOP;
        ArrayNode bearer = metadata.putArray("bearer_methods_supported");
        if (!proofsOnly) {
            bearer.add("header");
        }
        if (!baseScopes.isEmpty()) {
            baseScopes.forEach(metadata.putArray("scopes_supported")::add);
        }
        metadata.put("resource_name", "Switchboard");
        DpopProof.ALGORITHMS.forEach(metadata.putArray("dpop_signing_alg_values_supported")::add);
        if (proofsOnly) {
            metadata.put("dpop_bound_access_tokens_required", true);
        }
        if (binding.certificates()) {
            metadata.put("tls_client_certificate_bound_access_tokens", true);
        }
        return metadata;
    }

    /**
     * Whether a token for {@code audience} may be used at {@code view}: it is for that view, or for the whole gateway.
     */
    boolean isFor(String view, Collection<String> audience) {
        Set<String> accepted = Set.of(publicUrl.origin() + publicUrl.prefix(), resource(view));
        return audience.stream().map(PublicUrl::normalized).anyMatch(accepted::contains);
    }
}
