package switchboard.task;

import java.time.Duration;
import switchboard.concurrent.TeamShare;

/**
 * Limits of tasks.
 *
 * @param most maximum number of tasks that are kept; 0 if there are none
 * @param mostPerCaller maximum number of tasks of one caller that are kept
 * @param running maximum number of tasks of a backend that run at the same time in this gateway; others wait for their turn
 * @param timeout time limit of a task from its beginning, which counts the time that it waits for its turn
 * @param keep how long a task is kept after that
 * @param resultBytes maximum size of a result
 * @param share the part that one team may have
 */
public record TaskLimits(
        int most, int mostPerCaller, int running, Duration timeout, Duration keep, int resultBytes, TeamShare share) {
    /** How long a task is kept, from its beginning. */
    public Duration ttl() {
        return timeout.plus(keep);
    }
}
