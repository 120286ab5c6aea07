package switchboard.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What teams have called, hour by hour for a week and day by day for ninety days, in bounded memory. Thread-safe; counting is
 * cheap, and waits neither for readers nor for who saves.
 */
public final class UsageStore {
    /** How many rows are kept of all hours and days; then the oldest hours become days early, and the oldest days go. */
    static final int MOST_ROWS = 20_000;

    private final Clock clock;
    private final ConcurrentNavigableMap<Long, UsagePeriod> hours = new ConcurrentSkipListMap<>();
    private final ConcurrentNavigableMap<Long, UsagePeriod> days = new ConcurrentSkipListMap<>();
    private volatile @Nullable UsagePeriod current;

    /** Held by who moves hours to days, and by who reads them meanwhile. */
    private final ReentrantLock lock = new ReentrantLock();

    /** A store in which nothing is counted; {@code clock} says which hour it is. */
    public UsageStore(Clock clock) {
        this.clock = clock;
    }

    /**
     * Counts calls that ended in the same way.
     *
     * @param calls how many
     * @param bytes the size of the answers
     * @param took how long a call took
     */
    public void count(UsageKey key, UsageOutcome outcome, int calls, long bytes, Duration took) {
        period(UsageUnit.HOUR.of(clock.instant())).counts(key).add(outcome, calls, bytes, took.toNanos());
    }

    private UsagePeriod period(long hour) {
        UsagePeriod known = current;
        if (known != null && known.number() == hour) {
            return known;
        }
        UsagePeriod period = hours.computeIfAbsent(hour, UsagePeriod::new);
        current = period;
        if (lock.tryLock()) { // nobody may ever read or save; who does tidies, too
            try {
                tidy();
            } finally {
                lock.unlock();
            }
        }
        return period;
    }

    /** All of it, to be kept; empty if nothing was counted. */
    public byte[] save() {
        return tidied(() -> UsageFile.write(hours.values(), days.values()));
    }

    private <T> T tidied(Supplier<T> work) {
        lock.lock();
        try {
            tidy();
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds what another process has saved to what was counted since.
     *
     * @throws IllegalArgumentException if that is not what {@link #save} has written; then nothing is added
     */
    public void restore(byte[] saved) {
        List<UsageFile.SavedRow> rows = UsageFile.read(saved);
        lock.lock();
        try {
            rows.forEach(row -> (row.unit() == UsageUnit.HOUR ? hours : days)
                    .computeIfAbsent(row.number(), UsagePeriod::new)
                    .counts(row.key())
                    .addAll(row.counts()));
            tidy();
        } finally {
            lock.unlock();
        }
    }

    /** What {@code audience} may see of what {@code query} asks for. */
    public UsageReport report(UsageQuery query, CallAudience audience) {
        return tidied(() -> reported(query, audience));
    }

    private UsageReport reported(UsageQuery query, CallAudience audience) {
        UsageQuery.Range range = query.range(clock.instant());
        UsageReport report = new UsageReport(query, range, since(range.by()));
        long from = range.by().firstHour(range.first());
        long to = range.by().firstHour(Math.max(range.first(), range.last() + 1));
        hours.subMap(from, to).values().forEach(hour -> add(report, hour, hour.number(), audience));
        if (range.by() != UsageUnit.HOUR) {
            days.subMap(UsageUnit.DAY.ofHour(from), UsageUnit.DAY.ofHour(to))
                    .values()
                    .forEach(day -> add(report, day, UsageUnit.DAY.firstHour(day.number()), audience));
        }
        return report;
    }

    private static void add(UsageReport report, UsagePeriod period, long hour, CallAudience audience) {
        period.forEach((key, counts) -> {
            if (audience.sees(key.team(), key.backend())) {
                report.add(hour, key, counts);
            }
        });
    }

    private @Nullable Instant since(UsageUnit by) {
        Instant hour = hours.isEmpty() ? null : UsageUnit.HOUR.start(hours.firstKey());
        return by == UsageUnit.HOUR || days.isEmpty() ? hour : UsageUnit.DAY.start(days.firstKey());
    }

    /**
     * Old hours become days, and old days go; so does what was counted by a clock that was ahead. The hour of now, the one
     * before and the one after stay: calls may just be counted there.
     */
    private void tidy() {
        Instant now = clock.instant();
        long hour = UsageUnit.HOUR.of(now);
        long day = UsageUnit.DAY.of(now);
        hours.tailMap(hour + 2).values().forEach(this::remove);
        days.tailMap(day + 2).clear();
        hours.headMap(hour - UsageUnit.HOUR.kept()).values().forEach(this::rollUp);
        days.headMap(day - UsageUnit.DAY.kept()).clear();
        while (rows() > MOST_ROWS && !hours.headMap(hour - 1).isEmpty()) {
            rollUp(hours.firstEntry().getValue());
        }
        while (rows() > MOST_ROWS && days.size() > 1) {
            days.pollFirstEntry();
        }
    }

    private void rollUp(UsagePeriod hour) {
        UsagePeriod day = days.computeIfAbsent(UsageUnit.DAY.ofHour(hour.number()), UsagePeriod::new);
        hour.forEach((key, counts) -> day.counts(key).addAll(counts));
        remove(hour);
    }

    private void remove(UsagePeriod hour) {
        hours.remove(hour.number());
        if (current == hour) {
            current = null;
        }
    }

    /** How many rows are kept now. */
    int rows() {
        return hours.values().stream().mapToInt(UsagePeriod::size).sum()
                + days.values().stream().mapToInt(UsagePeriod::size).sum();
    }
}
