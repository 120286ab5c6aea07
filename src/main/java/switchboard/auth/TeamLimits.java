package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a team or of one of its keys. Null means no limit.
 *
 * @param callsPerSecond calls per second on average
 * @param burst calls that may come at once; at least {@code callsPerSecond}
 * @param concurrentCalls calls under way at once
 * @param resultBytes maximum size of the result of one call, in bytes
 * @param callsPerDay calls per UTC day
 * @param tokensPerDay tokens of answers per UTC day; an estimate
 */
public record TeamLimits(
        @Nullable Integer callsPerSecond,
        @Nullable Integer burst,
        @Nullable Integer concurrentCalls,
        @Nullable Integer resultBytes,
        @Nullable Long callsPerDay,
        @Nullable Long tokensPerDay) {
    /** No limits. */
    public static final TeamLimits NONE = new TeamLimits(null, null, null, null, null, null);

    /** How many calls may come at once, at a rate of {@code perSecond}. */
    int atOnce(int perSecond) {
        return burst == null ? perSecond : Math.max(perSecond, burst);
    }

    /** Whether there is one of a day. */
    boolean daily() {
        return callsPerDay != null || tokensPerDay != null;
    }

    /** Those that hold over all gateways. */
    BudgetLimits shared() {
        return new BudgetLimits(
                callsPerSecond,
                callsPerSecond == null ? 0 : atOnce(callsPerSecond),
                callsPerDay,
                tokensPerDay,
                concurrentCalls);
    }
}
