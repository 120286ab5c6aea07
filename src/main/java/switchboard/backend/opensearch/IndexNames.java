package switchboard.backend.opensearch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/**
 * Which names of indices, aliases and data streams may be used. The engine takes lists, patterns, exclusions, dates and
 * other clusters where it expects a name; a name of a caller is never any of these.
 */
final class IndexNames {
    private static final int MOST_BYTES = 255;
    private static final Pattern NAME = Pattern.compile("(?![-_+])(?!\\.{1,2}$)[^\\\\/*?\"<>|\\s,#:\\p{Cntrl}]{1,255}");

    private final ResourceScope usual;
    private final ResourceScope hidden;

    /**
     * Names that match one of {@code patterns}.
     *
     * @param patterns names or patterns with {@code *}; only those that begin with a dot match names that do
     */
    IndexNames(List<String> patterns) {
        this.usual = ResourceScope.anyOf(patterns);
        this.hidden = ResourceScope.anyOf(
                patterns.stream().filter(pattern -> pattern.startsWith(".")).toList());
    }

    /** Whether the engine would take {@code name} for the name of one index, alias or data stream. */
    static boolean valid(String name) {
        return NAME.matcher(name).matches() && name.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    }

    /** Whether {@code caller} may use {@code name}. */
    boolean allow(String name, Caller caller) {
        return valid(name)
                && (name.startsWith(".") ? hidden : usual).allows(name)
                && caller.scope().allows(name);
    }

    /**
     * Checks that {@code caller} may use {@code name}, before it becomes part of a path.
     *
     * @throws ToolException if not
     */
    void check(String name, Caller caller) {
        if (!valid(name)) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "index must be the name of one index, alias or data stream, without patterns;"
                            + " opensearch_list_indices shows what there is");
        }
        if (!allow(name, caller)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "The index \"" + name
                            + "\" is not among those that your team may use; opensearch_list_indices shows them");
        }
    }
}
