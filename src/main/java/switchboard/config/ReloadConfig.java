package switchboard.config;

import java.time.Duration;

/** How changed files are detected while the gateway runs. */
public record ReloadConfig(
        @Default("1s")
        @AllowedRange(min = "10ms", max = "1m")
        @Doc(
                "Pause between two checks of the files. A file is read when two checks in a row find it the same; one that is empty or"
                        + " truncated counts as still being written for ten checks.")
        Duration interval) {}
