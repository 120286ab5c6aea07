package switchboard.auth;

import io.github.bucket4j.TimeMeter;
import java.util.function.LongSupplier;

/** The time source of token buckets: a steady clock in nanoseconds, which is never set. */
record MonotonicTimeMeter(LongSupplier nanos) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
        return nanos.getAsLong();
    }

    @Override
    public boolean isWallClockBased() {
        return false;
    }
}
