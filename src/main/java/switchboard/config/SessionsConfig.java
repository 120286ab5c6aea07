package switchboard.config;

import java.time.Duration;

/** Limits of legacy sessions. */
public record SessionsConfig(
        @Default("1h")
        @AllowedRange(min = "1s", max = "7d")
        @Doc(
                "A session ends after this time without use; a call under way or an open stream counts as use. Sessions survive a restart with the same data folder.")
        Duration idleTtl,

        @Default("1000")
        @AllowedRange(min = "1", max = "1000000")
        @Doc(
                "Maximum number of sessions. At the limit, a new session replaces the least recently used one of the team with most; those with an"
                        + " open stream come last, and one with a call under way is never replaced. If none can be replaced, `initialize` is answered 503"
                        + " with `Retry-After`.")
        int max,

        @Doc("Answers for clients of 2025-11-25 whose connection broke.")
        ResumeConfig resume) {}
