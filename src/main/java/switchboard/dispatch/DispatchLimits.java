package switchboard.dispatch;

import java.time.Duration;
import switchboard.concurrent.TeamShare;

/**
 * How many calls may be under way, and how many may wait for that.
 *
 * @param perBackend at one backend, at most; at least 1
 * @param fewest at one backend however slowly it answers, 1 to {@code perBackend}
 * @param total in the process, at least 1
 * @param waiting calls that wait for room at one backend, 0 or more
 * @param longestWait how long one waits before it is refused
 * @param retryAfterMs what a refused caller is told to wait
 * @param share how much of places and queue one team may hold
 */
public record DispatchLimits(
        int perBackend, int fewest, int total, int waiting, Duration longestWait, long retryAfterMs, TeamShare share) {
    /** The limits of the shipped configuration. */
    public static final DispatchLimits DEFAULT = new DispatchLimits(256, 16, 1024, 128, Duration.ofSeconds(1), 500);

    /** The same limits where teams are not told apart. */
    public DispatchLimits(int perBackend, int fewest, int total, int waiting, Duration longestWait, long retryAfterMs) {
        this(perBackend, fewest, total, waiting, longestWait, retryAfterMs, TeamShare.ALL);
    }

    /** A fixed number of calls, of which none waits. */
    public static DispatchLimits fixed(int perBackend, int total, long retryAfterMs) {
        return new DispatchLimits(perBackend, perBackend, total, 0, Duration.ZERO, retryAfterMs);
    }
}
