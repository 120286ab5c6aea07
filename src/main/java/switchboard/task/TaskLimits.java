package switchboard.task;

import java.time.Duration;
import switchboard.concurrent.TeamShare;

/**
 * Limits of tasks.
 *
 * @param most maximum number of tasks that are kept; 0 if there are none
 * @param mostPerCaller the same for each caller
 * @param running maximum number of tasks of each backend whose work the gateway does at once; others wait
 * @param timeout time limit of the work
 * @param keep how long a task is kept after that
 * @param resultBytes maximum size of a result
 * @param share the part that one team may have
 */
public record TaskLimits(
        int most, int mostPerCaller, int running, Duration timeout, Duration keep, int resultBytes, TeamShare share) {
    /** No tasks at all. */
    public static final TaskLimits NONE =
            new TaskLimits(0, 0, 0, Duration.ofHours(1), Duration.ofHours(1), 1, new TeamShare(1));

    /** How long a task is kept, from its beginning. */
    public Duration ttl() {
        return timeout.plus(keep);
    }
}
