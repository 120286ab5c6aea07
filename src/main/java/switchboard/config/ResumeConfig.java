package switchboard.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Streams that a client of 2025-11-25 can resume after its connection broke. */
public record ResumeConfig(
        @Default("2s")
        @AllowedRange(min = "1ms", max = "10m")
        @Doc("A request that takes longer than this is answered on a stream that the client can resume.")
        Duration after,

        @Doc("A stream is closed after this time, and its client reconnects for the rest. If missing, it stays open."
                + " For proxies that cut long responses.")
        @Nullable
        @AllowedRange(min = "1ms", max = "1h")
        Duration hangUpAfter,

        @Default("1s") @AllowedRange(min = "1ms", max = "1m") @Doc("How long a client waits before it reconnects.")
        Duration retry,

        @Default("2m") @AllowedRange(min = "1s", max = "1h") @Doc("How long the messages are kept after the answer.")
        Duration keep,

        @Default("256")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Maximum number of messages kept for a session; the oldest are dropped first.")
        int messages,

        @Default("256KiB")
        @AllowedRange(min = "1KiB", max = "64MiB")
        @Doc("Maximum size of these messages. A larger answer only reaches a client that is connected at that moment.")
        Size size) {}
