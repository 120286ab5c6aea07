package switchboard.federation;

import io.vertx.core.Future;
import java.util.concurrent.Callable;
import switchboard.auth.Principal;

/** Runs work that takes milliseconds off the event loops, and completes on the caller's. */
@FunctionalInterface
public interface OffLoopExecutor {
    /** The outcome of {@code work} for {@code principal}'s team; fails with {@code ToolException} {@code OVERLOADED} when too much waits. */
    <T> Future<T> run(Principal principal, Callable<T> work);
}
