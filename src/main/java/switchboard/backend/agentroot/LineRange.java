package switchboard.backend.agentroot;

import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.text.LineIndex;

/**
 * The lines of a document to return.
 *
 * @param from the first, from 1
 * @param count how many
 * @param numbers whether each begins with its number
 */
record LineRange(int from, int count, boolean numbers) {
    /** From the first line, and to the last, if null. */
    static LineRange of(@Nullable Integer from, @Nullable Integer count, boolean numbers) {
        return new LineRange(from == null ? 1 : from, count == null ? Integer.MAX_VALUE : count, numbers);
    }

    /** The lines of this range, each with its number if wanted. */
    String of(LineIndex lines) {
        String slice = lines.slice(from, count);
        if (!numbers) {
            return slice;
        }
        StringBuilder numbered = new StringBuilder();
        int line = from;
        for (String one : slice.split("(?<=\n)", -1)) {
            if (!one.isEmpty()) {
                numbered.append(line++).append(": ").append(one);
            }
        }
        return numbered.toString();
    }
}
