package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;

/**
 * Has one node at a time do some work for as long as it runs; another one goes on soon after it has stopped, or was killed.
 * This node's own clock ends its lease before the database's does. Thread-safe.
 */
public final class JobHolder {
    /** The pause between two tries to take the work, and between two renewals. */
    private static final long PERIOD_MS = 2_000;

    /** A lease lasts so long here from the beginning of its last renewal on. */
    private static final Duration HERE = JobTable.LEASE.minusSeconds(2);

    private final Vertx vertx;
    private final JobTable jobs;
    private final DocumentTables.Place job;
    private final Runnable changed;
    private @Nullable JobLease lease;
    private long until;
    private boolean busy;
    private boolean stopped;
    private long timer = -1;

    /**
     * A holder, which does nothing yet.
     *
     * @param changed runs each time when this node has looked whether it has the work; it must not block
     */
    public JobHolder(Vertx vertx, JobTable jobs, DocumentTables.Place job, Runnable changed) {
        this.vertx = vertx;
        this.jobs = jobs;
        this.job = job;
        this.changed = changed;
    }

    /** Takes the work as soon as no other node has it. */
    public synchronized void start() {
        timer = vertx.setPeriodic(PERIOD_MS, _ -> turn());
    }

    /** Whether this node has the work now. */
    public synchronized boolean held() {
        return lease != null && until - System.nanoTime() > 0;
    }

    private void turn() {
        JobLease mine;
        synchronized (this) {
            if (busy || stopped) {
                return;
            }
            busy = true;
            mine = lease;
        }
        long begun = System.nanoTime();
        Future<Boolean> turned = mine == null
                ? jobs.take(job).map(taken -> {
                    taken.ifPresent(own -> taken(own, begun));
                    return taken.isPresent();
                })
                : jobs.renew(mine).map(renewed -> renewed(renewed, begun));
        Futures.settle(turned, _ -> over(), _ -> {});
    }

    private synchronized void taken(JobLease own, long begun) {
        lease = own;
        until = begun + HERE.toNanos();
    }

    private synchronized boolean renewed(boolean renewed, long begun) {
        if (renewed) {
            until = begun + HERE.toNanos();
        } else {
            lease = null;
        }
        return renewed;
    }

    private void over() {
        JobLease late;
        synchronized (this) {
            busy = false;
            if (lease != null && until - System.nanoTime() <= 0) {
                lease = null;
            }
            late = stopped ? lease : null;
        }
        if (late != null) {
            release(late);
        } else {
            changed.run();
        }
    }

    /** Gives the work to another node, and takes it no more. Completes in any case, soon. */
    public Future<Void> stop() {
        JobLease mine;
        synchronized (this) {
            stopped = true;
            mine = lease;
        }
        vertx.cancelTimer(timer);
        return mine == null ? Future.succeededFuture() : release(mine);
    }

    private Future<Void> release(JobLease mine) {
        synchronized (this) {
            lease = null;
        }
        return jobs.release(mine).otherwiseEmpty();
    }
}
