package switchboard.auth;

import java.net.URI;
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
        return new AuthOutcome.Rejected(failure, message, fix, challenge(failure, view, TokenScheme.BEARER), owner);
    }

    /** A rejection of {@code token}. */
    AuthOutcome.Rejected refuse(AuthFailure failure, ShownToken token, String message, String fix) {
        return new AuthOutcome.Rejected(failure, message, fix, challenge(failure, token.view(), token.scheme()), null);
    }

    /** A rejection that ends after {@code pause}. */
    static AuthOutcome.Rejected later(AuthFailure failure, String message, String fix, Duration pause) {
        long seconds = Math.max(1, Math.ceilDiv(pause.toMillis(), 1000L));
        return new AuthOutcome.Rejected(failure, message, fix, Map.of("Retry-After", Long.toString(seconds)), null);
    }

    private Map<String, String> challenge(AuthFailure failure, String view, TokenScheme scheme) {
        return switch (failure.status()) {
            case 400 -> Map.of("WWW-Authenticate", challenge(view, scheme, "invalid_request"));
            case 401 -> Map.of("WWW-Authenticate", challenge(view, scheme, error(failure)));
            default -> Map.of();
        };
    }

    /** RFC 6750 section 3.1: no error code if the caller has sent no credentials. */
    private static String error(AuthFailure failure) {
        return switch (failure) {
            case MISSING, UNSUPPORTED -> "";
            case PROOF_MISSING, PROOF_WRONG, PROOF_REPLAYED -> failure.code();
            default -> "invalid_token";
        };
    }

    /** One challenge for each scheme (RFC 9110 section 11.6.1). The one that the caller has used has the error. */
    private String challenge(String view, TokenScheme scheme, String error) {
        if (resource == null) {
            return WwwAuthenticate.keys(error);
        }
        URI metadata = resource.metadataUrl(view);
        if (resource.binding().required() == TokenBinding.Required.DPOP) {
            return WwwAuthenticate.proofsOnly(metadata, resource.baseScopes(), error);
        }
        boolean bearer = scheme == TokenScheme.BEARER;
        return WwwAuthenticate.tokens(metadata, resource.baseScopes(), bearer ? error : "") + ", "
                + WwwAuthenticate.proofs(bearer ? "" : error);
    }
}
