package switchboard.config;

import java.time.Duration;

/** Bounds of legacy sessions. */
public record SessionsConfig(
        @Default("1h")
        @AllowedRange(min = "1s", max = "7d")
        @Doc("A session unused for so long is dropped; one with a call under way or an open stream is in use.")
        Duration idleTtl,

        @Default("1000")
        @AllowedRange(min = "1", max = "1000000")
        @Doc(
                "Most sessions at a time. At the cap the least recently used one of the team with most gives way, those with an"
                        + " open stream last; one with a call under way never does. If none can go, `initialize` is answered 503"
                        + " with `Retry-After`.")
        int max,

        @Doc("Answers for clients of 2025-11-25 whose connection broke.")
        ResumeConfig resume) {}
