package switchboard.backend.agentroot.sqlite;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

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
        return new SqliteLimits(Collections.min(List.of(time, longest)), valueBytes, rows, memory, tempSpace);
    }
}
