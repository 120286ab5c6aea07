package switchboard.console;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.concurrent.BlockingExecutor;

/**
 * Usage of a gateway by itself.
 *
 * @param store what was counted
 * @param executor does the work
 */
public record StoredUsage(UsageStore store, BlockingExecutor executor) implements CallUsage {
    @Override
    public <T> Future<T> report(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown) {
        return executor.run(team, () -> false, () -> shown.apply(store.report(query, audience)));
    }
}
