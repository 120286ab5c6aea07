package switchboard.dispatch;

import java.time.Duration;
import switchboard.concurrent.TeamShare;

/**
 * Limits on calls under way and waiting calls.
 *
 * @param perBackend upper limit for one backend, at least 1
 * @param fewest lower limit for one backend however slow it is, 1 to {@code perBackend}
 * @param total limit for the process, at least 1
 * @param waiting maximum number of calls that wait at one backend, 0 or more
 * @param longestWait how long a call waits before it is refused
 * @param retryAfterMs when a refused caller should try again
 * @param share the part of places and queue that one team may use
 */
public record DispatchLimits(
        int perBackend, int fewest, int total, int waiting, Duration longestWait, long retryAfterMs, TeamShare share) {
    /** The limits of the shipped configuration. */
    public static final DispatchLimits DEFAULT = new DispatchLimits(256, 16, 1024, 128, Duration.ofSeconds(1), 500);

    /** The same limits without shares for teams. */
    public DispatchLimits(int perBackend, int fewest, int total, int waiting, Duration longestWait, long retryAfterMs) {
        this(perBackend, fewest, total, waiting, longestWait, retryAfterMs, TeamShare.ALL);
    }
}
