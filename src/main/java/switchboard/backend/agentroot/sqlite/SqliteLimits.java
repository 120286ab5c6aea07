package switchboard.backend.agentroot.sqlite;

import java.time.Duration;

/**
 * Limits of one statement.
 *
 * @param time time limit
 * @param valueBytes maximum size of a value in bytes
 * @param rows maximum number of rows
 * @param memory maximum memory of its process in bytes
 * @param tempSpace maximum size of temporary files in bytes
 */
public record SqliteLimits(Duration time, int valueBytes, int rows, long memory, long tempSpace) {
    /** The same with no more time than {@code longest}. */
    SqliteLimits within(Duration longest) {
        return longest.compareTo(time) >= 0 ? this : new SqliteLimits(longest, valueBytes, rows, memory, tempSpace);
    }
}
