package switchboard.protocol.method;

import io.vertx.core.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import switchboard.async.Futures;
import switchboard.auth.Budget;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.protocol.Cancellation;

/** Counts the call against the limits of the caller's team and key. */
final class LeaseBudget {
    private final Budget budget;

    LeaseBudget(Budget budget) {
        this.budget = budget;
    }

    /**
     * Starts the call, which is counted until the request is over, and then does {@code next}: at once, unless other gateways have to be asked for
     * a limit.
     *
     * @param refused answers a call that was waited for in vain, or whose {@code next} was refused after waiting
     * @return what {@code next} or {@code refused} returns
     * @throws ToolException if nothing was waited for, and a limit is reached
     */
    <T> Future<T> begin(RequestedTool tool, Supplier<Future<T>> next, Function<ToolException, Future<T>> refused) {
        return switch (budget.begin(tool.call().principal())) {
            case Budget.Start.DecidedStart decided -> begun(tool, decided, next);
            case Budget.Start.Waits asked -> {
                Cancellation cancellation = tool.call().cancellation();
                cancellation.onCancel(asked.giveUp());
                yield Futures.here(asked.decision()).compose(decided -> {
                    try {
                        if (cancellation.cancelled() && decided instanceof Budget.Start.Exhausted) {
                            throw new ToolException(FailureKind.CANCELLED, "The call was cancelled.");
                        }
                        return begun(tool, decided, next);
                    } catch (ToolException refusal) {
                        return refused.apply(refusal);
                    }
                });
            }
        };
    }

    private static <T> Future<T> begun(RequestedTool tool, Budget.Start.DecidedStart start, Supplier<Future<T>> next) {
        return switch (start) {
            case Budget.Start.Leased leased -> {
                tool.operation().lease(leased.lease());
                yield next.get();
            }
            case Budget.Start.Exhausted exhausted -> {
                tool.operation().limited(exhausted.limit().label());
                throw new ToolException(new ToolReply.Failed(
                                FailureKind.OVERLOADED,
                                "No further call now: " + exhausted.limit().text() + " is reached. Try again in "
                                        + exhausted.retryAfterMs() + " ms.")
                        .withRetryAfterMs(exhausted.retryAfterMs()));
            }
        };
    }
}
