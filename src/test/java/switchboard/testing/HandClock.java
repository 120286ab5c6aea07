package switchboard.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that only a test moves. */
public final class HandClock extends Clock {
    private volatile Instant now;

    /** A clock that shows {@code start}. */
    public HandClock(Instant start) {
        this.now = start;
    }

    /** Moves it. */
    public synchronized void forward(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
