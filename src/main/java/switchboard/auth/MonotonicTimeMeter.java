package switchboard.auth;

import io.github.bucket4j.TimeMeter;
import java.util.function.LongSupplier;

/** The time of buckets: nanoseconds of a clock that nobody sets. */
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
