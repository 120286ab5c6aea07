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
import switchboard.federation.OffLoopExecutor;

/** The executors of the gateway itself. They are closed before the runtime, whose event loops take back what they have done. */
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

    /** An executor of {@code threads} threads, before which {@code maxWaiting} may wait. */
    BlockingExecutor open(String name, int threads, int maxWaiting) {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, name, threads, maxWaiting, share);
        open.add(executor);
        return executor;
    }

    /** {@code executor} for the work of composed tools. */
    static OffLoopExecutor composed(BlockingExecutor executor) {
        return new OffLoopExecutor() {
            @Override
            public <T> Future<T> run(Principal principal, Callable<T> work) {
                return executor.run(principal.team(), () -> false, work);
            }
        };
    }

    /** Takes no more work; completes when what is under way has ended. */
    Future<Void> close() {
        return Future.join(open.stream().map(BlockingExecutor::close).toList()).mapEmpty();
    }
}
