package switchboard.http;

import java.util.Optional;
import java.util.function.BiPredicate;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.auth.ProtectedResource;
import switchboard.protocol.McpEndpoint;

/**
 * The services that the HTTP server calls. Shared by all verticle instances; everything in it is thread-safe.
 *
 * @param endpoint the protocol
 * @param authenticator authenticates callers
 * @param refused notified of rejected credentials
 * @param bodies limits the request bodies in memory
 * @param views whether a view of that name exists for a principal; {@code ""} is the default view
 * @param resource the gateway as an OAuth protected resource; empty if no access tokens are accepted
 */
public record HttpServices(
        McpEndpoint endpoint,
        Authenticator authenticator,
        AuthFailureListener refused,
        BodyMemoryLimiter bodies,
        BiPredicate<Principal, String> views,
        Optional<ProtectedResource> resource) {
    private static final long USUAL_BODY_BYTES = 128L << 20;

    /** Services with the default limit on bodies, without access tokens and without a listener. */
    public HttpServices(McpEndpoint endpoint, Authenticator authenticator, BiPredicate<Principal, String> views) {
        this(endpoint, authenticator, views, Optional.empty());
    }

    /** The same, with access tokens. */
    public HttpServices(
            McpEndpoint endpoint,
            Authenticator authenticator,
            BiPredicate<Principal, String> views,
            Optional<ProtectedResource> resource) {
        this(
                endpoint,
                authenticator,
                AuthFailureListener.NONE,
                new BodyMemoryLimiter(USUAL_BODY_BYTES),
                views,
                resource);
    }
}
