package switchboard.call;

import java.util.Optional;

/** The access tokens of the callers of calls under way. Thread-safe. */
@FunctionalInterface
public interface CallerTokens {
    /** For a gateway that accepts no access tokens. */
    CallerTokens NONE = _ -> Optional.empty();

    /** The code of the failure of a call that needs such a token and has none. */
    String MISSING = "caller_token_missing";

    /** The token that the caller of the call {@code callId} has shown; empty for one with a key or without credentials. */
    Optional<CallerToken> of(String callId);
}
