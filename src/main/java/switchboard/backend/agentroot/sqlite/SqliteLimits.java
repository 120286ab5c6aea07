package switchboard.backend.agentroot.sqlite;

import java.time.Duration;

/**
 * What one statement may take.
 *
 * @param time how long it may run
 * @param valueBytes most bytes of one value
 * @param rows most rows that are read
 * @param memory most bytes that its process takes
 * @param tempSpace most bytes of temporary files
 */
public record SqliteLimits(Duration time, int valueBytes, int rows, long memory, long tempSpace) {
    /** The same with no more time than {@code longest}. */
    SqliteLimits within(Duration longest) {
        return longest.compareTo(time) >= 0 ? this : new SqliteLimits(longest, valueBytes, rows, memory, tempSpace);
    }
}
