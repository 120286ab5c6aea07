package switchboard.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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

    private final AuditSink sink;
    private final int capacity;
    private final LineQueue queue;
    private final Counter failures;
    private final Counter lost;
    private volatile @Nullable String problem;

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
        this.failures = Counter.builder(MetricNames.AUDIT_FAILURES)
                .description("Writes of the audit log that failed")
                .register(meters);
        this.lost = Counter.builder(MetricNames.AUDIT_LOST)
                .description("Lines that are missing in the audit log")
                .register(meters);
        Gauge.builder(MetricNames.AUDIT_FAILING, this, writer -> writer.problem == null ? 0 : 1)
                .description("Whether the audit log can't be written now")
                .register(meters);
        this.queue = new LineQueue("audit", capacity, new Attempts());
    }

    /**
     * Writes a line soon.
     *
     * @param bytes about how long it is
     * @param line makes it, on the writer's thread
     */
    public void write(int bytes, Supplier<byte[]> line) {
        if (!queue.offer(bytes, line)) {
            lost.increment();
            failing("more lines are waiting than there is room for");
        }
    }

    /** What keeps lines from being written now, if anything. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Whether the lines of what begins now will be kept: the sink works, and there is ample room for waiting lines. */
    public boolean keepsUp() {
        return problem == null && queue.room() > capacity / 2;
    }

    /** Writes what waits, for as long as a few seconds, and ends. */
    @Override
    public void close() {
        queue.close();
        try {
            sink.close();
        } catch (IOException e) {
            LOG.error("the audit log could not be closed: {}", e.toString());
        }
        if (queue.left() > 0) {
            lost.increment(queue.left());
            LOG.error("{} lines of the audit log could not be written before the end", queue.left());
        }
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

    /** The sink, with its failures told. */
    private final class Attempts implements LineQueue.Sink {
        @Override
        public boolean write(List<byte[]> lines) {
            try {
                sink.write(lines);
            } catch (IOException e) {
                failures.increment();
                failing(e.toString());
                return false;
            }
            works();
            return true;
        }

        @Override
        public void unmade(RuntimeException why) {
            lost.increment();
            LOG.error("a line of the audit log could not be made", why);
        }
    }
}
