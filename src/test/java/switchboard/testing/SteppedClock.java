package switchboard.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The system's clock on a machine where somebody sets it, forward or back. */
public final class SteppedClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    /** Shows from now on a time that is ahead of the true one, or behind if {@code by} is negative. */
    public void set(Duration by) {
        ahead = by;
    }

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
