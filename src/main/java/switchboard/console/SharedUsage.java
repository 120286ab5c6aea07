package switchboard.console;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.cluster.UsageRead;
import switchboard.cluster.UsageTable;
import switchboard.concurrent.BlockingExecutor;

/**
 * Usage of all gateways of a cluster; of this one alone while the others can't be asked.
 *
 * @param table what all have written
 * @param unsent what this one has not written yet
 * @param executor does the work
 */
public record SharedUsage(UsageTable table, UnsentUsage unsent, BlockingExecutor executor) implements CallUsage {
    @Override
    public <T> Future<T> report(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown) {
        UsageQuery.Range range = unsent.range(query);
        Future<Optional<UsageRead>> read =
                table.read(range.span(), unsent.runs()).map(Optional::of).otherwise(Optional.empty());
        return Futures.here(read)
                .compose(all ->
                        executor.run(team, () -> false, () -> shown.apply(unsent.report(query, range, audience, all))));
    }
}
