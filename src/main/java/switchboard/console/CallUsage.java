package switchboard.console;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.concurrent.BlockingExecutor;

/**
 * Answers questions about usage, off the event loops.
 *
 * @param store what was counted
 * @param executor does the work
 */
public record CallUsage(UsageStore store, BlockingExecutor executor) {
    /**
     * What {@code shown} makes of the answer.
     *
     * @param team whose turn it is that takes
     * @param audience what may be seen
     */
    public <T> Future<T> report(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown) {
        return executor.run(team, () -> false, () -> shown.apply(store.report(query, audience)));
    }
}
