package switchboard.auth;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of checking a caller's credentials. */
public sealed interface AuthOutcome {
    /** The credentials are valid. */
    record Authenticated(Principal principal) implements AuthOutcome {}

    /**
     * The credentials are rejected.
     *
     * @param failure why
     * @param message what is wrong; safe to show
     * @param fix what to do next; safe to show
     * @param headers HTTP headers of the answer: the challenge (RFC 9110 section 11.6.1), {@code Retry-After}
     * @param owner the principal that the credentials belong to, if that is certain (an expired key), or null
     */
    record Rejected(
            AuthFailure failure,
            String message,
            String fix,
            Map<String, String> headers,
            @Nullable Principal owner) implements AuthOutcome {
        public Rejected {
            headers = Map.copyOf(headers);
        }
    }
}
