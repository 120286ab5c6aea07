package switchboard.compose;

import java.time.Duration;
import switchboard.dispatch.CallOptions;

/**
 * A moment by which parts must have answered.
 *
 * @param at a reading of {@code System.nanoTime()}
 */
record Deadline(long at) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** For a part that is asked now. */
    CallOptions options() {
        return CallOptions.within(Duration.ofNanos(Math.max(1, at - System.nanoTime())));
    }
}
