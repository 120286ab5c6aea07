package switchboard.console;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.UsageRead;
import switchboard.cluster.UsageTable;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;

/**
 * Usage of all gateways of a cluster; of this one alone while the others can't be asked.
 *
 * @param table what all have written
 * @param unsent what this one has not written yet
 * @param executor does the work
 * @param turns how many reports are made at once: each holds all rows of its time
 */
public record SharedUsage(UsageTable table, UnsentUsage unsent, BlockingExecutor executor, FairSemaphore turns)
        implements CallUsage {
    private static final int AT_ONCE = 2;
    private static final int WAITING = 64;

    /**
     * With few reports at once.
     *
     * @param share the part of those that wait which one team may have
     */
    public static SharedUsage of(UsageTable table, UnsentUsage unsent, BlockingExecutor executor, TeamShare share) {
        return new SharedUsage(table, unsent, executor, new FairSemaphore(AT_ONCE, WAITING, share));
    }

    @Override
    public <T> Future<T> report(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown) {
        return Futures.here(turns.run(
                () -> made(team, query, audience, shown),
                () -> new ToolException(
                        FailureKind.OVERLOADED,
                        "Too many reports on usage are being made. Try again in a few seconds.")));
    }

    private <T> Future<T> made(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown) {
        UsageQuery.Range range = unsent.range(query);
        Future<Optional<UsageRead>> read =
                table.read(range.span(), unsent.runs()).map(Optional::of).otherwise(Optional.empty());
        return Futures.here(read)
                .compose(all ->
                        executor.run(team, () -> false, () -> shown.apply(unsent.report(query, range, audience, all))));
    }
}
