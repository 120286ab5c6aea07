package switchboard.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallerToken;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolReply;
import switchboard.config.ConfidentialUrl;

/**
 * What the errors of a token endpoint (RFC 6749, 5.2; RFC 8693, 2.2.2; OpenID Connect, 3.1.2.6) mean for those who called.
 * Only known error codes and checked URLs are passed on, no other text of an answer.
 */
public final class TokenErrors {
    /** The code of the failure for a caller whose consent is missing. */
    public static final String CONSENT_REQUIRED = "consent_required";

    /** The detail of that failure with the URL of the page to open. */
    public static final String CONSENT_URL = "url";

    private static final int LONGEST_URL = 2_048;

    private TokenErrors() {}

    /** For tokens of the gateway itself. */
    static TokenEndpoint.RefusalReader gateway() {
        return (status, _) -> new ToolReply.Failed(
                FailureKind.DENIED_UPSTREAM,
                "the authorization server gives the gateway no token (" + status
                        + "); the operator has to check oauth");
    }

    /** For tokens that the bearer of {@code caller} gets for {@code backend}. */
    static TokenEndpoint.RefusalReader caller(String backend, OAuthSettings settings, CallerToken caller) {
        Secrets secrets = Secrets.of(List.of(settings.clientSecret().reveal(), caller.reveal()));
        return (status, answer) -> {
            String error = answer.path("error").asText("");
            return switch (error) {
                case CONSENT_REQUIRED, "interaction_required", "login_required" ->
                    consent(backend, page(settings.consentUrl(), answer.path("error_uri"), secrets));
                case "invalid_grant", "invalid_request", "invalid_token" ->
                    new ToolReply.Failed(
                                    FailureKind.DENIED,
                                    backend
                                            + " is called as you, and the authorization server does not accept your sign-in for it ("
                                            + error
                                            + "). Sign in again and repeat the call; if it stays so, the operator has to"
                                            + " check oauth.")
                            .withCode(error);
                case "access_denied", "invalid_target", "invalid_scope" ->
                    new ToolReply.Failed(
                                    FailureKind.DENIED,
                                    "The authorization server gives you no token for " + backend + " (" + error
                                            + "). Ask for access to it; if you have that, the operator has to check oauth.audience,"
                                            + " oauth.resource and oauth.scope.")
                            .withCode(error);
                default ->
                    new ToolReply.Failed(
                            FailureKind.DENIED_UPSTREAM,
                            "The authorization server does not exchange your token for one for " + backend + " ("
                                    + status
                                    + "); the operator has to check oauth, and whether its client may exchange tokens");
            };
        };
    }

    private static ToolReply.Failed consent(String backend, Optional<URI> page) {
        String missing = backend + " is called as you, and you have not agreed yet that the gateway may do that. ";
        return page.map(url -> new ToolReply.Failed(
                                FailureKind.DENIED, missing + "Open " + url + ", agree there, then repeat the call.")
                        .withDetail(CONSENT_URL, Json.object().textNode(url.toString())))
                .orElseGet(() -> new ToolReply.Failed(
                        FailureKind.DENIED,
                        missing
                                + "Sign in to it once where you agree to such things, then repeat the call; the operator can"
                                + " name that page as oauth.consentUrl."))
                .withCode(CONSENT_REQUIRED);
    }

    /** The configured page, otherwise the one that the authorization server names, if a person may be sent there. */
    private static Optional<URI> page(@Nullable URI configured, JsonNode named, Secrets secrets) {
        if (configured != null) {
            return Optional.of(configured);
        }
        String text = named.asText("");
        if (text.length() > LONGEST_URL || !secrets.scrub(text).equals(text)) {
            return Optional.empty();
        }
        try {
            return Optional.of(URI.create(text)).filter(ConfidentialUrl::is);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
