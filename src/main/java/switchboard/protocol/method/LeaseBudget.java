package switchboard.protocol.method;

import switchboard.auth.Budget;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Counts the call against the limits of the caller's team and key. */
final class LeaseBudget {
    private final Budget budget;

    LeaseBudget(Budget budget) {
        this.budget = budget;
    }

    /**
     * Starts the call, which is counted until the request is over.
     *
     * @throws ToolException if a limit is reached
     */
    void begin(RequestedTool tool) {
        switch (budget.begin(tool.call().principal())) {
            case Budget.Start.Leased leased -> tool.operation().lease(leased.lease());
            case Budget.Start.Exhausted exhausted -> {
                tool.operation().limited(exhausted.limit().label());
                throw new ToolException(new ToolReply.Failed(
                                FailureKind.OVERLOADED,
                                "No further call now: " + exhausted.limit().text() + " is reached. Try again in "
                                        + exhausted.retryAfterMs() + " ms.")
                        .withRetryAfterMs(exhausted.retryAfterMs()));
            }
        }
    }
}
