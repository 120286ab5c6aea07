package switchboard.federation;

import java.util.concurrent.TimeUnit;

/** Time since a reading of {@code System.nanoTime()}. */
final class CallStopwatch {
    private CallStopwatch() {}

    static long ms(long since) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }
}
