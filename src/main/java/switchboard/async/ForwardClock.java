package switchboard.async;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A clock for how long something lasts that must end: where the one that it reads is set back, it goes on from where it was. One
 * that is set forward ends things early. Thread-safe.
 */
public final class ForwardClock extends Clock {
    private final Clock clock;
    private Instant last;
    private Instant now;

    /** Begins at the time of {@code clock}. */
    public ForwardClock(Clock clock) {
        this.clock = clock;
        this.last = clock.instant();
        this.now = last;
    }

    @Override
    public synchronized Instant instant() {
        Instant seen = clock.instant();
        if (seen.isAfter(last)) {
            now = now.plus(Duration.between(last, seen));
        }
        last = seen;
        return now;
    }

    /** The time in nanoseconds, as caches want it. */
    public long nanos() {
        Instant at = instant();
        return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
    }

    @Override
    public ZoneId getZone() {
        return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new ForwardClock(clock.withZone(zone));
    }
}
