package switchboard.compose;

import java.util.concurrent.TimeUnit;

/** Time since a reading of {@code System.nanoTime()}. */
final class Elapsed {
    private Elapsed() {}

    static long ms(long since) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }
}
