package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.Lifetime;
import switchboard.cluster.JobLease;
import switchboard.cluster.JobTable;
import switchboard.store.DocumentStore;
import switchboard.store.StoreTurn;

/** A turn of this node. It is renewed until it ends; its own clock ends it before the database's does. Thread-safe. */
final class LeasedTurn implements StoreTurn {
    /** Why a turn is over that another node may have taken. */
    static final String LOST = "This gateway did not answer for a while, so another one may have gone on in its place;"
            + " nothing more was changed here. Try again in a moment.";

    private static final long RENEWAL_MS = 2_000;

    /** The turn lasts so long from the beginning of its last renewal on. */
    private static final Duration HERE = JobTable.LEASE.minusSeconds(2);

    private static final String LATE = "The time of this call was over, so nothing more was changed.";

    private final Vertx vertx;
    private final JobTable jobs;
    private final JobLease lease;
    private final Lifetime lifetime;
    private final AtomicReference<@Nullable String> why = new AtomicReference<>();
    private final AtomicBoolean renewing = new AtomicBoolean();
    private final Consumer<LeasedTurn> ended;
    private final long timer;
    private volatile long until;
    private volatile @Nullable DocumentStore store;

    /**
     * A turn with a lease.
     *
     * @param lifetime of the call: after it the turn is not renewed, even if its work hangs, so that others can go on
     * @param asked when the lease was asked for, as {@code System.nanoTime()}
     * @param ended runs at its end
     */
    LeasedTurn(Vertx vertx, JobTable jobs, JobLease lease, Lifetime lifetime, long asked, Consumer<LeasedTurn> ended) {
        this.ended = ended;
        this.vertx = vertx;
        this.jobs = jobs;
        this.lease = lease;
        this.lifetime = lifetime;
        this.until = asked + HERE.toNanos();
        this.timer = vertx.setPeriodic(RENEWAL_MS, _ -> renew());
    }

    /** The same turn, whose changes are made with {@code own}. */
    LeasedTurn with(DocumentStore own) {
        store = own;
        return this;
    }

    JobLease lease() {
        return lease;
    }

    @Override
    public DocumentStore store() {
        return Objects.requireNonNull(store, "the turn has its store before its work begins");
    }

    @Override
    public Optional<String> over() {
        if (why.get() == null && until - System.nanoTime() < 0) {
            ends(LOST);
        }
        return Optional.ofNullable(why.get());
    }

    /** It is over because of {@code reason}. */
    void ends(String reason) {
        why.compareAndSet(null, reason);
    }

    private void renew() {
        long begun = System.nanoTime();
        if (lifetime.cancelled()) {
            ends(LATE);
        }
        if (over().isPresent() || !renewing.compareAndSet(false, true)) {
            return;
        }
        Futures.settle(
                jobs.renew(lease),
                renewed -> {
                    renewing.set(false);
                    if (renewed.succeeded() && renewed.result()) {
                        until = begun + HERE.toNanos();
                    } else if (renewed.succeeded()) {
                        ends(LOST);
                    }
                },
                _ -> {});
    }

    /** Ends it, so that other nodes need not wait. Completes in any case. */
    Future<Void> end() {
        vertx.cancelTimer(timer);
        ends(LOST);
        ended.accept(this);
        return jobs.release(lease).otherwiseEmpty();
    }
}
