package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.JobTable;

/** The turns of this node to work on something that nodes work on one after the other. Thread-safe. */
final class LeasedTurns {
    private static final long AGAIN_MS = 500;

    /** The time that an answer needs to be sent in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final JobTable jobs;

    LeasedTurns(Vertx vertx, JobTable jobs) {
        this.vertx = vertx;
        this.jobs = jobs;
    }

    /** Waits until no other node has a turn. */
    Future<LeasedTurn> take(DocumentTables.Place place, Lifetime lifetime) {
        return Futures.here(attempt(place, lifetime));
    }

    private Future<LeasedTurn> attempt(DocumentTables.Place place, Lifetime lifetime) {
        long asked = System.nanoTime();
        return jobs.take(place)
                .recover(failure -> Future.failedFuture(SharedWrites.told(failure)))
                .compose(taken -> {
                    if (taken.isPresent()) {
                        return Future.succeededFuture(new LeasedTurn(vertx, jobs, taken.get(), lifetime, asked));
                    }
                    if (lifetime.cancelled() || lifetime.remaining().compareTo(MARGIN) < 0) {
                        return Future.failedFuture(new ToolException(
                                FailureKind.CONFLICT,
                                "Another gateway is changing " + place.name()
                                        + " now. Nothing was changed by this call; try"
                                        + " again when it has finished."));
                    }
                    return vertx.timer(AGAIN_MS, TimeUnit.MILLISECONDS).compose(_ -> attempt(place, lifetime));
                });
    }
}
