package switchboard.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.UsageRow;

/**
 * What teams have called, hour by hour for a week and day by day for ninety days, in bounded memory. Thread-safe; counting is
 * cheap, and waits neither for readers nor for who saves.
 */
public final class UsageStore implements CountedUsage {
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

    @Override
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

    @Override
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

    @Override
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
        return report(query, audience, UsageReport.Gateways.ONLY);
    }

    /** The same; {@code gateways} says whose calls these are. */
    UsageReport report(UsageQuery query, CallAudience audience, UsageReport.Gateways gateways) {
        return tidied(() -> reported(query, audience, gateways));
    }

    private UsageReport reported(UsageQuery query, CallAudience audience, UsageReport.Gateways gateways) {
        UsageQuery.Range range = query.range(clock.instant());
        return added(
                new UsageReport(query, range, gateways, range.by().since(first(hours), first(days))), range, audience);
    }

    /** Adds what {@code audience} may see of {@code range}. */
    UsageReport addTo(UsageReport report, UsageQuery.Range range, CallAudience audience) {
        return tidied(() -> added(report, range, audience));
    }

    private UsageReport added(UsageReport report, UsageQuery.Range range, CallAudience audience) {
        long from = range.startHour();
        long to = range.endHour();
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
            if (audience.sees(key.team(), key.backend()) && !counts.isEmpty()) {
                report.add(hour, key, counts);
            }
        });
    }

    private static @Nullable Long first(ConcurrentNavigableMap<Long, UsagePeriod> periods) {
        Entry<Long, UsagePeriod> first = periods.firstEntry();
        return first == null ? null : first.getKey();
    }

    /** The number of the first hour of which something is kept by the hour, or null. */
    @Nullable
    Long firstHour() {
        return first(hours);
    }

    /** All that was counted. */
    List<UsageRow> rows() {
        return tidied(() -> rows(UsageCounts::values));
    }

    /** Takes it out. What is counted meanwhile stays. */
    List<UsageRow> take() {
        return tidied(() -> {
            List<UsageRow> rows = rows(UsageCounts::take);
            days.clear();
            hours.headMap(UsageUnit.HOUR.of(clock.instant()) - 1).values().forEach(this::remove);
            return rows;
        });
    }

    private List<UsageRow> rows(Function<UsageCounts, List<Long>> values) {
        List<UsageRow> rows = new ArrayList<>();
        hours.values().forEach(hour -> add(rows, UsageUnit.HOUR, hour, values));
        days.values().forEach(day -> add(rows, UsageUnit.DAY, day, values));
        return rows;
    }

    private static void add(
            List<UsageRow> rows, UsageUnit unit, UsagePeriod period, Function<UsageCounts, List<Long>> values) {
        long hour = unit.firstHour(period.number());
        period.forEach((key, counts) -> {
            List<Long> counted = values.apply(counts);
            if (counted.stream().anyMatch(count -> count != 0)) {
                rows.add(new UsageRow(unit.word(), hour, key.team(), key.backend(), key.tool(), counted));
            }
        });
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
        while (size() > MOST_ROWS && !hours.headMap(hour - 1).isEmpty()) {
            rollUp(hours.firstEntry().getValue());
        }
        while (size() > MOST_ROWS && days.size() > 1) {
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
    int size() {
        return hours.values().stream().mapToInt(UsagePeriod::size).sum()
                + days.values().stream().mapToInt(UsagePeriod::size).sum();
    }
}
