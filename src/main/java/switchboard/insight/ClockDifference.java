package switchboard.insight;

import java.time.Duration;
import java.time.Instant;

/**
 * How far the database's clock is before this gateway's.
 *
 * @param ahead negative if it is behind
 * @param unsure how much more or less it may be
 */
record ClockDifference(Duration ahead, Duration unsure) {
    /** By an answer of the database that has {@code said}, and that was asked for and came at these times. */
    static ClockDifference of(Instant asked, Instant said, Instant came) {
        Duration half = Duration.between(asked, came).dividedBy(2);
        return new ClockDifference(Duration.between(asked.plus(half), said), half.abs());
    }

    /** The earliest time by the database's clock that a time of this gateway may have been. */
    Instant earliest(Instant here) {
        return here.plus(ahead).minus(unsure);
    }

    /** The latest one. */
    Instant latest(Instant here) {
        return here.plus(ahead).plus(unsure);
    }
}
