package switchboard.watch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The questions whose askers are nobody here. Gateways get a new teams file one after the other, so an asker may be known to
 * another one already. Thread-safe.
 */
final class GoneAskers {
    private static final long PATIENCE = Duration.ofMinutes(5).toNanos();

    /** Who was not looked for in this time was there again. */
    private static final long FORGOTTEN = Duration.ofMinutes(1).toNanos();

    /** How often absences are removed that are over. */
    private static final long OFTEN = Duration.ofSeconds(30).toNanos();

    private final AtomicLong looked = new AtomicLong(System.nanoTime());
    private final Map<String, Absence> absences = new ConcurrentHashMap<>();

    /** Since when an asker was not found, and when last, by a steady clock in nanoseconds. */
    private record Absence(long since, long last) {}

    /** The asker of {@code uri} is not known at {@code nanos}; whether that was so for long. */
    boolean isOver(String uri, long nanos) {
        long before = looked.get();
        if (nanos - before > OFTEN && looked.compareAndSet(before, nanos)) {
            absences.values().removeIf(absence -> nanos - absence.last() > FORGOTTEN);
        }
        Absence first = new Absence(nanos, nanos);
        Absence now = absences.merge(
                uri, first, (old, _) -> nanos - old.last() > FORGOTTEN ? first : new Absence(old.since(), nanos));
        return nanos - now.since() > PATIENCE;
    }
}
