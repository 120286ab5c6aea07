package switchboard.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines to a sink on a thread of its own. Lines wait in a queue of bounded bytes; while the sink fails they stay
 * there and are tried again every second, and those for which there is no room are lost and counted. Thread-safe; only
 * {@link #close} waits.
 */
public final class AuditWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
    private static final int BATCH = 256;
    private static final long RETRY_MS = 1_000;
    /** How long lines gather before they are written together: waking a thread for each costs more than the line. */
    private static final long GATHER_MS = 10;

    private static final long CLOSE_SECONDS = 5;

    private final AuditSink sink;
    private final int capacity;
    private final Semaphore room;
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final List<Waiting> batch = new ArrayList<>(BATCH);
    private final List<byte[]> lines = new ArrayList<>(BATCH);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ScheduledExecutorService thread;
    private final Counter failures;
    private final Counter lost;
    private volatile @Nullable String problem;

    private record Waiting(int bytes, Supplier<byte[]> line) {}

    /**
     * A writer.
     *
     * @param sink where lines go
     * @param capacity how many bytes may wait
     * @param meters where its counters go
     */
    public AuditWriter(AuditSink sink, int capacity, MeterRegistry meters) {
        this.sink = sink;
        this.capacity = capacity;
        this.room = new Semaphore(capacity);
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("audit").daemon().factory());
        this.failures = Counter.builder(MetricNames.AUDIT_FAILURES)
                .description("Writes of the audit log that failed")
                .register(meters);
        this.lost = Counter.builder(MetricNames.AUDIT_LOST)
                .description("Lines that are missing in the audit log")
                .register(meters);
        Gauge.builder(MetricNames.AUDIT_FAILING, this, writer -> writer.problem == null ? 0 : 1)
                .description("Whether the audit log can't be written now")
                .register(meters);
    }

    /**
     * Writes a line soon.
     *
     * @param bytes about how long it is
     * @param line makes it, on the writer's thread
     */
    public void write(int bytes, Supplier<byte[]> line) {
        if (!room.tryAcquire(bytes)) {
            lost.increment();
            failing("more lines are waiting than there is room for");
            return;
        }
        queue.add(new Waiting(bytes, line));
        wake();
    }

    /** What keeps lines from being written now, if anything. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Whether the lines of what begins now will be kept: the sink works, and there is ample room for waiting lines. */
    public boolean keepsUp() {
        return problem == null && room.availablePermits() > capacity / 2;
    }

    /** Writes what waits, for as long as a few seconds, and ends. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
            sink.close();
        } catch (IOException e) {
            LOG.error("the audit log could not be closed: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int left = queue.size() + batch.size();
        if (left > 0) {
            lost.increment(left);
            LOG.error("{} lines of the audit log could not be written before the end", left);
        }
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            run(GATHER_MS);
        }
    }

    private void run(long delayMs) {
        try {
            thread.schedule(this::drain, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("closed: what waits is counted as missing");
        }
    }

    /** Runs on the writer's thread only. */
    private void drain() {
        do {
            if (!writeAll()) {
                run(RETRY_MS);
                return;
            }
            awake.set(false);
        } while (!queue.isEmpty() && awake.compareAndSet(false, true));
    }

    private boolean writeAll() {
        while (collect()) {
            try {
                sink.write(lines);
            } catch (IOException e) {
                failures.increment();
                failing(e.toString());
                return false;
            }
            batch.forEach(written -> room.release(written.bytes()));
            batch.clear();
            lines.clear();
            works();
        }
        return true;
    }

    /** Fills the batch; it may hold what could not be written before. */
    private boolean collect() {
        for (Waiting next = poll(); next != null; next = poll()) {
            try {
                byte[] line = next.line().get();
                batch.add(next);
                lines.add(line);
            } catch (RuntimeException e) {
                room.release(next.bytes());
                lost.increment();
                LOG.error("a line of the audit log could not be made", e);
            }
        }
        return !batch.isEmpty();
    }

    private @Nullable Waiting poll() {
        return batch.size() < BATCH ? queue.poll() : null;
    }

    private synchronized void failing(String why) {
        if (problem == null) {
            LOG.error("the audit log can't be written: {}", why);
        }
        problem = why;
    }

    private synchronized void works() {
        if (problem != null) {
            LOG.warn("the audit log is written again; {} lines are missing in all", (long) lost.count());
            problem = null;
        }
    }
}
