package switchboard.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that only a test moves: the calendar, and the steady time beside it. */
public final class HandClock extends Clock {
    private final Duration perLook;
    private Instant now;
    private long nanos;

    /** A clock that shows {@code start}. */
    public HandClock(Instant start) {
        this(start, Duration.ZERO);
    }

    private HandClock(Instant start, Duration perLook) {
        this.now = start;
        this.perLook = perLook;
    }

    /** A clock that moves on by a millisecond with every look, so that no two looks show the same time. */
    public static HandClock ticking(Instant start) {
        return new HandClock(start, Duration.ofMillis(1));
    }

    /** Time passes. */
    public synchronized void forward(Duration by) {
        now = now.plus(by);
        nanos += by.toNanos();
    }

    /** Somebody sets the calendar, forward or back; no time passes. */
    public synchronized void set(Duration by) {
        now = now.plus(by);
    }

    /** The steady time. */
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Instant instant() {
        Instant shown = now;
        now = now.plus(perLook);
        return shown;
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
