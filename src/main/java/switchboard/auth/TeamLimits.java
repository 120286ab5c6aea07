package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * How much a team, or one of its keys, may do; a null component is no limit.
 *
 * @param callsPerSecond calls a second on average
 * @param burst how many calls may come at once; at least {@code callsPerSecond}
 * @param concurrentCalls calls under way at once
 * @param resultBytes the largest result of one call
 * @param callsPerDay calls in a day, UTC
 * @param tokensPerDay tokens of answers in a day, UTC; an estimate
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
}
