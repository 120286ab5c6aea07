package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * Limits as a node has read them. Nodes may differ while their files are replaced. Null means no limit.
 *
 * @param callsPerSecond calls per second on average
 * @param burst calls that may come at once
 * @param callsPerDay calls per UTC day
 * @param tokensPerDay tokens of answers per UTC day
 * @param concurrentCalls calls under way at once
 */
public record BudgetLimits(
        @Nullable Integer callsPerSecond,
        int burst,
        @Nullable Long callsPerDay,
        @Nullable Long tokensPerDay,
        @Nullable Integer concurrentCalls) {}
