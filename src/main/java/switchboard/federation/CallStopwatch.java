package switchboard.federation;

import java.util.concurrent.TimeUnit;

/** Measures time with {@code System.nanoTime()}. */
final class CallStopwatch {
    private CallStopwatch() {}

    static long ms(long since) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }
}
