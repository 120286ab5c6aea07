package switchboard.config;

import java.time.Duration;

/** How files that change are noticed while the gateway runs. */
public record ReloadConfig(
        @Default("1s")
        @AllowedRange(min = "10ms", max = "1m")
        @Doc(
                "Pause between two looks at the files. A file that two looks find the same is read; one that is empty or cut"
                        + " short is taken for unfinished for ten looks.")
        Duration interval) {}
