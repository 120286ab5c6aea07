package switchboard.app;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.cluster.UsageTable;
import switchboard.console.UnsentUsage;

/** Writes what a gateway has counted for all gateways of its cluster, once in each period. Thread-safe. */
final class UsageWriter {
    private static final Logger LOG = LoggerFactory.getLogger(UsageWriter.class);

    private static final int SWEEP_EVERY = 6;

    /** Between two times when what was written is forgotten, in nanoseconds; longer than a read of all counts takes. */
    private static final long FORGET_NANOS = Duration.ofSeconds(10).toNanos();

    private final UnsentUsage unsent;
    private final UsageTable table;
    private final Vertx vertx;
    private final Duration period;
    private Future<Void> last = Future.succeededFuture();
    private Future<Void> sweep = Future.succeededFuture();
    private long timer = -1;
    private int rounds;
    private long forgot = System.nanoTime();

    UsageWriter(UnsentUsage unsent, UsageTable table, Vertx vertx, Duration period) {
        this.unsent = unsent;
        this.table = table;
        this.vertx = vertx;
        this.period = period;
    }

    synchronized void start() {
        timer = vertx.setPeriodic(period.toMillis(), _ -> tick());
    }

    private synchronized void tick() {
        if (System.nanoTime() - forgot >= FORGET_NANOS) {
            forgot = System.nanoTime();
            unsent.forgetWritten();
        }
        if (last.isComplete()) {
            last = write().andThen(UsageWriter::over);
        }
        if (rounds++ % SWEEP_EVERY == 0 && sweep.isComplete()) {
            sweep = table.sweep().andThen(UsageWriter::over);
        }
    }

    /** The database's outages are logged where they are noticed. */
    private static void over(AsyncResult<Void> round) {
        if (round.failed()) {
            LOG.debug("usage waits", round.cause());
        }
    }

    /** Writes what waits; a failure leaves it for the next round. */
    private Future<Void> write() {
        unsent.round();
        return unsent.first()
                .map(first -> Futures.repeat(first, batch -> table.write(batch).map(_ -> {
                    unsent.firstIsWritten();
                    return unsent.first();
                })))
                .orElseGet(Future::succeededFuture);
    }

    /** Writes for the last time: what was under way, and what was counted meanwhile. */
    synchronized Future<Void> close() {
        vertx.cancelTimer(timer);
        last = last.transform(_ -> write()).compose(_ -> write());
        return last;
    }
}
