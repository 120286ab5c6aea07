package switchboard.http;

import java.util.Optional;
import java.util.function.BiPredicate;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.auth.ProtectedResource;
import switchboard.protocol.McpEndpoint;

/**
 * Whom the HTTP side asks. Shared by all verticle instances; everything in it is thread-safe.
 *
 * @param endpoint the protocol
 * @param authenticator finds out who calls
 * @param refused hears of those who are not let in
 * @param bodies bounds the request bodies in memory
 * @param views whether a view of that name exists for a principal; {@code ""} is the default view
 * @param resource what the gateway is to OAuth; empty where no access tokens are accepted
 */
public record HttpServices(
        McpEndpoint endpoint,
        Authenticator authenticator,
        AuthFailureListener refused,
        BodyMemoryLimiter bodies,
        BiPredicate<Principal, String> views,
        Optional<ProtectedResource> resource) {
    private static final long USUAL_BODY_BYTES = 128L << 20;

    /** An entry with the usual bound on bodies, without access tokens; nobody hears of those who are not let in. */
    public HttpServices(McpEndpoint endpoint, Authenticator authenticator, BiPredicate<Principal, String> views) {
        this(endpoint, authenticator, views, Optional.empty());
    }

    /** The same where access tokens are accepted. */
    public HttpServices(
            McpEndpoint endpoint,
            Authenticator authenticator,
            BiPredicate<Principal, String> views,
            Optional<ProtectedResource> resource) {
        this(
                endpoint,
                authenticator,
                AuthFailureListener.UNHEARD,
                new BodyMemoryLimiter(USUAL_BODY_BYTES),
                views,
                resource);
    }
}
