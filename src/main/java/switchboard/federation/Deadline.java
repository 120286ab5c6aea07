package switchboard.federation;

import java.time.Duration;

/**
 * A moment by which parts must have answered.
 *
 * @param at a reading of {@code System.nanoTime()}
 */
record Deadline(long at) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The time that a part has which is asked now; never zero. */
    Duration left() {
        return Duration.ofNanos(Math.max(1, at - System.nanoTime()));
    }
}
