package switchboard.config;

import org.jspecify.annotations.Nullable;

/** The limits of a team or of one of its keys. Null means no limit. */
public record TeamLimitsConfig(
        @AllowedRange(min = "1", max = "100000")
        @Doc("Calls per second, on average; more are answered 429 with `Retry-After`. A batch counts as its calls.")
        @Nullable
        Integer callsPerSecond,

        @AllowedRange(min = "1", max = "1000000")
        @Doc("Maximum number of calls that arrive at once; by default `callsPerSecond`.")
        @Nullable
        Integer burst,

        @AllowedRange(min = "1", max = "100000")
        @Doc("Calls under way at once; more are answered `OVERLOADED`.")
        @Nullable
        Integer concurrentCalls,

        @AllowedRange(min = "1KiB", max = "64MiB") @Doc("Maximum size of a tool's result.") @Nullable
        Size resultSize,

        @AllowedRange(min = "1", max = "1000000000") @Doc("Calls per day (UTC).") @Nullable
        Long callsPerDay,

        @AllowedRange(min = "1", max = "1000000000000")
        @Doc("Tokens of answers per day (UTC): an estimate, by OpenAI's `o200k_base`; long answers are counted by"
                + " samples.")
        @Nullable
        Long tokensPerDay) {
    /** No limits. */
    public static final TeamLimitsConfig NONE = new TeamLimitsConfig(null, null, null, null, null, null);
}
