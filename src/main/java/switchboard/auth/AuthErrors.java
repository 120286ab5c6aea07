package switchboard.auth;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes refusals with the headers that go with them: a challenge where another credential helps. Immutable. */
final class AuthErrors {
    private final @Nullable ProtectedResource resource;

    /** For a gateway that is {@code resource} to OAuth, or null for one that accepts keys only. */
    AuthErrors(@Nullable ProtectedResource resource) {
        this.resource = resource;
    }

    /** A refusal at {@code view}. */
    AuthOutcome.Rejected refuse(AuthFailure failure, String view, String message, String fix) {
        return refuse(failure, view, message, fix, null);
    }

    /** The same for credentials of {@code owner}. */
    AuthOutcome.Rejected refuse(
            AuthFailure failure, String view, String message, String fix, @Nullable Principal owner) {
        return new AuthOutcome.Rejected(failure, message, fix, challenge(failure, view), owner);
    }

    /** A refusal that holds for a time. */
    static AuthOutcome.Rejected later(AuthFailure failure, String message, String fix, Duration pause) {
        long seconds = Math.max(1, Math.ceilDiv(pause.toMillis(), 1000L));
        return new AuthOutcome.Rejected(failure, message, fix, Map.of("Retry-After", Long.toString(seconds)), null);
    }

    /** RFC 6750 section 3.1: no error code for a caller that has shown nothing. */
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
