package switchboard.federation;

import java.time.Duration;

/**
 * The time by which the parts of a call must answer.
 *
 * @param at a value of {@code System.nanoTime()}
 */
record Deadline(long at) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The remaining time; never zero. */
    Duration left() {
        return Duration.ofNanos(Math.max(1, at - System.nanoTime()));
    }
}
