package switchboard.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Streams that a client of 2025-11-25 can take up again after its connection broke. */
public record ResumeConfig(
        @Default("2s")
        @AllowedRange(min = "1ms", max = "10m")
        @Doc("A request that is not answered after so long is answered on a stream that can be taken up again.")
        Duration after,

        @Doc("A stream is closed after so long, and its client comes back for the rest; left out, it stays open."
                + " For proxies that cut long responses.")
        @Nullable
        @AllowedRange(min = "1ms", max = "1h")
        Duration hangUpAfter,

        @Default("1s") @AllowedRange(min = "1ms", max = "1m") @Doc("How long a client waits before it comes back.")
        Duration retry,

        @Default("2m") @AllowedRange(min = "1s", max = "1h") @Doc("How long what was said is kept after the answer.")
        Duration keep,

        @Default("256")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Most messages kept for a session; the oldest go first.")
        int messages,

        @Default("256KiB")
        @AllowedRange(min = "1KiB", max = "64MiB")
        @Doc("Most bytes of them. A larger answer reaches only who is connected when it comes.")
        Size size) {}
