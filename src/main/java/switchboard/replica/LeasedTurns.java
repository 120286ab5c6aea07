package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.JobTable;

/** The turns of this node to work on something that nodes work on one after the other. Thread-safe. */
final class LeasedTurns {
    private static final long AGAIN_MS = 500;

    /** After so long of turns one right after the other this node waits until each other node has asked once. */
    private static final long LONG_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long YIELD_MS = AGAIN_MS + 200;

    /** Who waits for another node goes on waiting so long while the database does not answer. */
    private static final long AWAY_NANOS = Duration.ofSeconds(30).toNanos();

    /** The time that an answer needs to be sent in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    /** A gateway that stops waits so long for the ends of its turns. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private static final String STOPPING = "This gateway is being stopped, so nothing more was changed. Try again.";

    private final Vertx vertx;
    private final JobTable jobs;
    private final Set<LeasedTurn> open = ConcurrentHashMap.newKeySet();
    private final Map<DocumentTables.Place, TurnsInARow> latest = new ConcurrentHashMap<>();

    LeasedTurns(Vertx vertx, JobTable jobs) {
        this.vertx = vertx;
        this.jobs = jobs;
    }

    /**
     * Turns of this node between which no other node could have one.
     *
     * @param begun when the first one began, as {@code System.nanoTime()}
     * @param ended when the last one ended; null while it lasts
     */
    private record TurnsInARow(long begun, @Nullable Long ended) {
        boolean over(long now) {
            return ended != null && now - ended > TimeUnit.MILLISECONDS.toNanos(AGAIN_MS);
        }

        boolean tooLong(long now) {
            return ended != null && !over(now) && now - begun > LONG_NANOS;
        }
    }

    /** Waits until no other node has a turn. */
    Future<LeasedTurn> take(DocumentTables.Place place, Lifetime lifetime) {
        long now = System.nanoTime();
        latest.values().removeIf(row -> row.over(now));
        TurnsInARow row = latest.get(place);
        return Futures.here(
                row != null && row.tooLong(now)
                        ? vertx.timer(YIELD_MS, TimeUnit.MILLISECONDS).compose(_ -> {
                            latest.remove(place, row);
                            return attempt(place, lifetime, null);
                        })
                        : attempt(place, lifetime, null));
    }

    /** Asks for a turn; {@code waiting} is when the database last said that another node has it, if it did. */
    private Future<LeasedTurn> attempt(DocumentTables.Place place, Lifetime lifetime, @Nullable Long waiting) {
        long asked = System.nanoTime();
        return jobs.take(place).transform(over -> {
            if (over.failed()) {
                boolean passing = waiting != null
                        && asked - waiting < AWAY_NANOS
                        && over.cause() instanceof ClusterUnavailableException;
                return passing && !ends(lifetime)
                        ? again(place, lifetime, waiting)
                        : Future.failedFuture(SharedWrites.told(over.cause()));
            }
            if (over.result().isPresent()) {
                LeasedTurn turn = new LeasedTurn(vertx, jobs, over.result().get(), lifetime, asked, this::ended);
                open.add(turn);
                latest.compute(place, (_, row) -> new TurnsInARow(row == null ? asked : row.begun(), null));
                return Future.succeededFuture(turn);
            }
            return ends(lifetime)
                    ? Future.failedFuture(new ToolException(
                            FailureKind.CONFLICT,
                            "Another gateway is changing " + place.name()
                                    + " now. Nothing was changed by this call; try"
                                    + " again when it has finished."))
                    : again(place, lifetime, asked);
        });
    }

    private static boolean ends(Lifetime lifetime) {
        return lifetime.cancelled() || lifetime.remaining().compareTo(MARGIN) < 0;
    }

    private Future<LeasedTurn> again(DocumentTables.Place place, Lifetime lifetime, @Nullable Long waiting) {
        return vertx.timer(AGAIN_MS, TimeUnit.MILLISECONDS).compose(_ -> attempt(place, lifetime, waiting));
    }

    private void ended(LeasedTurn turn) {
        open.remove(turn);
        long now = System.nanoTime();
        latest.computeIfPresent(turn.lease().job(), (_, row) -> new TurnsInARow(row.begun(), now));
    }

    /** Ends all turns, so that other nodes need not wait for them. Completes in any case, soon. */
    Future<Void> close() {
        open.forEach(turn -> turn.ends(STOPPING));
        List<Future<Void>> ends = open.stream().map(LeasedTurn::end).toList();
        return Future.join(ends)
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .transform(_ -> Future.succeededFuture());
    }
}
