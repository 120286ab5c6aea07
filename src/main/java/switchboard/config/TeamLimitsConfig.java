package switchboard.config;

import org.jspecify.annotations.Nullable;

/** How much a team, or one of its keys, may do; what is left out is not limited. */
public record TeamLimitsConfig(
        @AllowedRange(min = "1", max = "100000")
        @Doc("Calls a second, on average; more are answered 429 with `Retry-After`. A batch counts as its calls.")
        @Nullable
        Integer callsPerSecond,

        @AllowedRange(min = "1", max = "1000000")
        @Doc("How many calls may come at once; by default as many as in a second.")
        @Nullable
        Integer burst,

        @AllowedRange(min = "1", max = "100000")
        @Doc("Calls under way at once; more are answered `OVERLOADED`.")
        @Nullable
        Integer concurrentCalls,

        @AllowedRange(min = "1KiB", max = "64MiB") @Doc("The largest result of a tool.") @Nullable
        Size resultSize,

        @AllowedRange(min = "1", max = "1000000000") @Doc("Calls in a day (UTC).") @Nullable
        Long callsPerDay,

        @AllowedRange(min = "1", max = "1000000000000")
        @Doc("Tokens of answers in a day (UTC): an estimate, by OpenAI's `o200k_base`; long answers are counted by"
                + " samples.")
        @Nullable
        Long tokensPerDay) {
    /** No limits. */
    public static final TeamLimitsConfig NONE = new TeamLimitsConfig(null, null, null, null, null, null);
}
