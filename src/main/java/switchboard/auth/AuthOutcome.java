package switchboard.auth;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of a caller's credentials. */
public sealed interface AuthOutcome {
    /** They are good. */
    record Authenticated(Principal principal) implements AuthOutcome {}

    /**
     * They are not.
     *
     * @param failure why not
     * @param message what is wrong; safe to show
     * @param fix what to do next; safe to show
     * @param headers of the HTTP answer: the challenge (RFC 9110 section 11.6.1), when to come back
     * @param owner whose credentials they are, where that is certain (an expired key), or null
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
