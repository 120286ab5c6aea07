package switchboard.federation;

import io.vertx.core.Future;
import java.util.concurrent.Callable;
import switchboard.auth.Principal;

/** Runs computations of some milliseconds outside the event loops, and completes on the caller's context. */
@FunctionalInterface
public interface ComputationExecutor {
    /**
     * Runs {@code work} for the principal's team. Fails with {@code ToolException} {@code OVERLOADED} if too much work
     * waits.
     */
    <T> Future<T> run(Principal principal, Callable<T> work);
}
