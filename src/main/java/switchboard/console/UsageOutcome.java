package switchboard.console;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How calls end, as usage counts them. */
public enum UsageOutcome {
    /** The tool has answered, and not with an error. */
    OK,
    /** The tool has answered with an error: other arguments would help. */
    TOOL_ERROR,
    /** It never came to the tool: not allowed, not valid, no such tool, or beyond a limit. */
    REFUSED,
    /** There was no answer: the backend was away, too slow or too busy, the call was cancelled, or there is a defect. */
    FAILED;

    /** What a tool says of a call; {@code tool_error} is what another server says. */
    private static final Set<String> OF_TOOLS =
            Set.of("tool_error", "invalid_argument", "not_found", "conflict", "denied");

    /**
     * The end of a call.
     *
     * @param allowed whether the gateway let it through
     * @param error the error as in the audit log, or null for success
     */
    public static UsageOutcome of(boolean allowed, @Nullable String error) {
        if (!allowed) {
            return REFUSED;
        }
        if (error == null) {
            return OK;
        }
        return OF_TOOLS.contains(error.toLowerCase(Locale.ROOT)) ? TOOL_ERROR : FAILED;
    }

    /** Its name on the wire. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
