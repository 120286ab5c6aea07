package switchboard.protocol.legacy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of streams that can be taken up again. All are positive.
 *
 * @param after a request not answered after so long gets a stream
 * @param hangUpAfter a stream is closed after so long although there is more to come; null for never
 * @param retry how long a client waits before it comes back
 * @param keep how long what was said is kept after the answer
 * @param maxMessages most messages kept for a session
 * @param maxBytes most bytes of them
 */
public record ResumeLimits(
        Duration after, @Nullable Duration hangUpAfter, Duration retry, Duration keep, int maxMessages, int maxBytes) {
    /** The limits of the shipped configuration. */
    public static final ResumeLimits DEFAULT =
            new ResumeLimits(Duration.ofSeconds(2), null, Duration.ofSeconds(1), Duration.ofMinutes(2), 256, 256 << 10);
}
