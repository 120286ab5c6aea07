package switchboard.config;

import java.time.Duration;

/** Bounds of legacy sessions. */
public record SessionsConfig(
        @Default("1h") @Range(min = "1s", max = "7d") @Doc("A session unused for so long is dropped.")
        Duration idleTtl,

        @Default("1000")
        @Range(min = "1", max = "1000000")
        @Doc("Most sessions at a time; at the cap the least recently used one gives way.")
        int max,

        @Doc("Answers for clients of 2025-11-25 whose connection broke.")
        ResumeConfig resume) {}
