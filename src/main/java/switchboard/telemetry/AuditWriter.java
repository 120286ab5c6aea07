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
 * Writes lines to a sink on its own thread. The queue is bounded in bytes. While the sink fails, lines stay in the
 * queue and are tried again every second; lines for which there is no room are lost and counted. Thread-safe; only
 * {@link #close} waits.
 */
public final class AuditWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);

    private final AuditSink sink;
    private final int capacity;
    private final LineQueue<byte[]> queue;
    private final Counter failures;
    private final Counter lost;
    private volatile @Nullable String problem;

    /**
     * A writer.
     *
     * @param sink the destination
     * @param capacity maximum size of the queue in bytes
     * @param meters registers its counters
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
        this.queue = new LineQueue<>("audit", capacity, new Attempts());
    }

    /**
     * Queues a line.
     *
     * @param bytes its approximate length
     * @param line makes the line, on the writer's thread
     */
    public void write(int bytes, Supplier<byte[]> line) {
        if (!queue.offer(bytes, line)) {
            lost.increment();
            failing("more lines are waiting than there is room for");
        }
    }

    /** Why lines can't be written at the moment; empty if they can. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Whether lines of requests that begin now will be kept: the sink works, and the queue has plenty of room. */
    public boolean keepsUp() {
        return problem == null && queue.room() > capacity / 2;
    }

    /** Writes the queued lines, for a few seconds at most, and ends. */
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

    /** The sink with logging and counting of its failures. */
    private final class Attempts implements LineQueue.Sink<byte[]> {
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
