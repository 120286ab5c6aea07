package switchboard.protocol.legacy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits of resumable streams. All are positive.
 *
 * @param after a request that takes longer gets a stream
 * @param hangUpAfter a stream is closed after this time although there is more to send; null for never
 * @param retry how long a client waits before it reconnects
 * @param keep how long messages are kept after the answer
 * @param maxMessages maximum number of messages kept for a session
 * @param maxBytes maximum size of them
 */
public record ResumeLimits(
        Duration after, @Nullable Duration hangUpAfter, Duration retry, Duration keep, int maxMessages, int maxBytes) {
    /** The limits of the shipped configuration. */
    public static final ResumeLimits DEFAULT =
            new ResumeLimits(Duration.ofSeconds(2), null, Duration.ofSeconds(1), Duration.ofMinutes(2), 256, 256 << 10);
}
