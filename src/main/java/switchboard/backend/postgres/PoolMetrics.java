package switchboard.backend.postgres;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.vertx.sqlclient.Pool;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.telemetry.MetricNames;

/** Metrics of the connections of one pool: open ones, those in use, and calls that wait for one. */
final class PoolMetrics {
    private static final String NAME = MetricNames.POSTGRES_CONNECTIONS;

    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger inUse = new AtomicInteger();

    /** {@code tags} tell the pool from others. */
    PoolMetrics(MeterRegistry meters, Tags tags, Pool pool) {
        register(meters, tags, "open", pool, Pool::size);
        register(meters, tags, "in_use", inUse, AtomicInteger::get);
        register(meters, tags, "waiting", waiting, AtomicInteger::get);
    }

    private static <T> void register(
            MeterRegistry meters, Tags tags, String state, T of, java.util.function.ToDoubleFunction<T> count) {
        Gauge.builder(NAME, of, count)
                .description("Connections to a database that are open or in use, and calls waiting for one")
                .tags(tags)
                .tag("state", state)
                .strongReference(true)
                .register(meters);
    }

    /** A call requests a connection. */
    void asked() {
        waiting.incrementAndGet();
    }

    /** The call got its connection. */
    void got() {
        waiting.decrementAndGet();
        inUse.incrementAndGet();
    }

    /** The call gets no connection; returns whether the pool had no connection in use at all. */
    boolean gotNone() {
        waiting.decrementAndGet();
        return inUse.get() == 0;
    }

    /** The call no longer needs the connection, which is returned to the pool or closed. */
    void done() {
        inUse.decrementAndGet();
    }
}
