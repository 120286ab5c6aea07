package switchboard.console;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.UsageBatch;
import switchboard.cluster.UsageRead;
import switchboard.cluster.UsageRow;

/**
 * What a gateway has counted and not yet written for all gateways of its cluster. It is written in numbered batches, each of
 * them once: one whose outcome is not known is sent again as it was, and what is counted meanwhile is for the next one.
 * Thread-safe; counting waits for nobody.
 */
public final class UnsentUsage implements CountedUsage {
    private static final int ID_CHARS = 32;

    private final String run;
    private final Clock clock;

    /** All that this gateway has counted, for when the others can't be asked. */
    private final UsageStore own;

    /** What is in no batch yet. */
    private final UsageStore next;

    /** Held by who makes batches, and by who reads them. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<UsageBatch> waiting = new ArrayDeque<>();

    /** Those that a read may still not have which began before they were written. */
    private final Deque<UsageBatch> written = new ArrayDeque<>();

    private int forgettable;
    private long number;

    /** Nothing yet; {@code run} is a name that no other run of a gateway has. */
    public UnsentUsage(String run, Clock clock) {
        this.run = run;
        this.clock = clock;
        this.own = new UsageStore(clock);
        this.next = new UsageStore(clock);
    }

    @Override
    public void count(UsageKey key, UsageOutcome outcome, int calls, long bytes, Duration took) {
        own.count(key, outcome, calls, bytes, took);
        next.count(key, outcome, calls, bytes, took);
    }

    /** Forgets what was written before the last call of this. Two calls are further apart than a read takes. */
    public void forgetWritten() {
        lock.lock();
        try {
            for (; forgettable > 0; forgettable--) {
                written.removeFirst();
            }
            forgettable = written.size();
        } finally {
            lock.unlock();
        }
    }

    /** Begins a round of writing: makes a batch of what was counted, unless one of this run still waits. */
    public void round() {
        lock.lock();
        try {
            if (waiting.stream().noneMatch(batch -> batch.run().equals(run))) {
                List<UsageRow> rows = next.take();
                if (!rows.isEmpty()) {
                    waiting.add(new UsageBatch(run, ++number, rows));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The batch that is to be written first. */
    public Optional<UsageBatch> first() {
        lock.lock();
        try {
            return Optional.ofNullable(waiting.peekFirst());
        } finally {
            lock.unlock();
        }
    }

    /** The first batch is written. */
    public void firstIsWritten() {
        lock.lock();
        try {
            written.add(waiting.removeFirst());
        } finally {
            lock.unlock();
        }
    }

    /** Those whose batches a read should know. */
    Set<String> runs() {
        lock.lock();
        try {
            Set<String> runs = new TreeSet<>(Set.of(run));
            Stream.of(written, waiting)
                    .flatMap(Collection::stream)
                    .map(UsageBatch::run)
                    .forEach(runs::add);
            return runs;
        } finally {
            lock.unlock();
        }
    }

    UsageQuery.Range range(UsageQuery query) {
        return query.range(clock.instant());
    }

    /** What {@code audience} may see of {@code query}: of all gateways, or of this one if nothing was read of the others. */
    UsageReport report(UsageQuery query, UsageQuery.Range range, CallAudience audience, Optional<UsageRead> read) {
        return read.map(all -> report(query, range, audience, all))
                .orElseGet(() -> own.report(query, audience, UsageReport.Gateways.ONE_OF_SEVERAL));
    }

    private UsageReport report(UsageQuery query, UsageQuery.Range range, CallAudience audience, UsageRead read) {
        lock.lock();
        try {
            List<UsageRow> more = Stream.of(written, waiting)
                    .flatMap(Collection::stream)
                    .filter(batch -> !read.has(batch))
                    .flatMap(batch -> batch.rows().stream())
                    .toList();
            Long day = first(UsageRow.DAY, more, read.firstDay());
            UsageReport report = new UsageReport(
                    query,
                    range,
                    UsageReport.Gateways.ALL,
                    range.by()
                            .since(
                                    first(UsageRow.HOUR, more, earlier(read.firstHour(), next.firstHour())),
                                    day == null ? null : UsageUnit.DAY.ofHour(day)));
            read.rows().forEach(row -> add(report, row, audience));
            more.stream().filter(range::has).forEach(row -> add(report, row, audience));
            return next.addTo(report, range, audience);
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable Long first(String unit, List<UsageRow> rows, @Nullable Long known) {
        return rows.stream()
                .filter(row -> row.unit().equals(unit))
                .map(UsageRow::hour)
                .reduce(UnsentUsage::earlier)
                .map(first -> earlier(first, known))
                .orElse(known);
    }

    private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        return one == null || (other != null && other < one) ? other : one;
    }

    private static void add(UsageReport report, UsageRow row, CallAudience audience) {
        if (audience.sees(row.team(), row.backend())) {
            report.add(row.hour(), new UsageKey(row.team(), row.backend(), row.tool()), UsageCounts.of(row.counts()));
        }
    }

    /** Batches that wait, and the next one as far as it has come. If it is written larger than it was saved, it counts so. */
    @Override
    public byte[] save() {
        lock.lock();
        try {
            Deque<UsageBatch> batches = new ArrayDeque<>(waiting);
            List<UsageRow> rows = next.rows();
            if (!rows.isEmpty()) {
                batches.add(new UsageBatch(run, number + 1, rows));
            }
            while (batches.stream().mapToInt(batch -> batch.rows().size()).sum() > UsageFile.MOST_ROWS) {
                batches.removeFirst();
            }
            return UsageFile.write(List.copyOf(batches));
        } finally {
            lock.unlock();
        }
    }

    /** What a gateway by itself has saved becomes a batch, which has the same name whenever it is read. */
    @Override
    public void restore(byte[] saved) {
        String file = "file-" + DigestUtils.sha256Hex(saved).substring(0, ID_CHARS);
        Map<String, Map<Long, List<UsageRow>>> runs = new LinkedHashMap<>();
        UsageFile.read(saved)
                .forEach(row -> runs.computeIfAbsent(row.run().isEmpty() ? file : row.run(), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(Math.max(1, row.batch()), _ -> new ArrayList<>())
                        .add(row.row()));
        own.restore(saved);
        lock.lock();
        try {
            runs.forEach((saver, batches) ->
                    batches.forEach((batch, rows) -> waiting.add(new UsageBatch(saver, batch, rows))));
        } finally {
            lock.unlock();
        }
    }
}
