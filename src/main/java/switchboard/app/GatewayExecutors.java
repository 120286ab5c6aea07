package switchboard.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.auth.Principal;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.federation.ComputationExecutor;

/**
 * The executors of the gateway itself. They must be closed before Vert.x, because results are passed back to its event
 * loops.
 */
final class GatewayExecutors {
    private final Vertx vertx;
    private final MeterRegistry meters;
    private final TeamShare share;
    private final List<BlockingExecutor> open = new CopyOnWriteArrayList<>();

    GatewayExecutors(Vertx vertx, MeterRegistry meters, TeamShare share) {
        this.vertx = vertx;
        this.meters = meters;
        this.share = share;
    }

    /**
     * Opens an executor.
     *
     * @param threads number of threads
     * @param maxWaiting how much work may wait for one
     */
    BlockingExecutor open(String name, int threads, int maxWaiting) {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, name, threads, maxWaiting, share);
        open.add(executor);
        return executor;
    }

    /** Runs the work of federated tools on {@code executor}. */
    static ComputationExecutor composed(BlockingExecutor executor) {
        return new ComputationExecutor() {
            @Override
            public <T> Future<T> run(Principal principal, Callable<T> work) {
                return executor.run(principal.team(), () -> false, work);
            }
        };
    }

    /** Accepts no more work. Completes when the work under way has finished. */
    Future<Void> close() {
        return Future.join(open.stream().map(BlockingExecutor::close).toList()).mapEmpty();
    }
}
