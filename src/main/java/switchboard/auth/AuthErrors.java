package switchboard.auth;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes rejections of credentials, with a {@code WWW-Authenticate} challenge if other credentials could help.
 * Immutable.
 */
final class AuthErrors {
    private final @Nullable ProtectedResource resource;

    /** For the protected resource {@code resource}, or null for a gateway that accepts keys only. */
    AuthErrors(@Nullable ProtectedResource resource) {
        this.resource = resource;
    }

    /** A rejection of a request to {@code view}. */
    AuthOutcome.Rejected refuse(AuthFailure failure, String view, String message, String fix) {
        return refuse(failure, view, message, fix, null);
    }

    /** The same for credentials that belong to {@code owner}. */
    AuthOutcome.Rejected refuse(
            AuthFailure failure, String view, String message, String fix, @Nullable Principal owner) {
        return new AuthOutcome.Rejected(failure, message, fix, challenge(failure, view), owner);
    }

    /** A rejection that ends after {@code pause}. */
    static AuthOutcome.Rejected later(AuthFailure failure, String message, String fix, Duration pause) {
        long seconds = Math.max(1, Math.ceilDiv(pause.toMillis(), 1000L));
        return new AuthOutcome.Rejected(failure, message, fix, Map.of("Retry-After", Long.toString(seconds)), null);
    }

    /** The challenge header. RFC 6750 section 3.1: no error code if the caller has sent no credentials. */
    private Map<String, String> challenge(AuthFailure failure, String view) {
        return switch (failure.status()) {
            case 400 -> Map.of("WWW-Authenticate", challenge(view, "invalid_request"));
            case 401 ->
                Map.of(
                        "WWW-Authenticate",
                        challenge(view, failure.type().equals(AuthFailure.MISSING.type()) ? "" : "invalid_token"));
            default -> Map.of();
        };
    }

    private String challenge(String view, String error) {
        return resource == null
                ? WwwAuthenticate.keys(error)
                : WwwAuthenticate.tokens(resource.metadataUrl(view), resource.baseScopes(), error);
    }
}
