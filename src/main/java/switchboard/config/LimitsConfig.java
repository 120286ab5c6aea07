package switchboard.config;

import java.time.Duration;

/** Limits on concurrent work. */
public record LimitsConfig(
        @Default("1024")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Maximum number of calls under way; more are answered `OVERLOADED`.")
        int calls,

        @Default("256")
        @AllowedRange(min = "1", max = "100000")
        @Doc(
                "The same for each backend. The actual limit adapts: it begins at 32 (or at the nearer of its two bounds), grows while the backend answers as fast as usual, and shrinks while its calls take more than twice as long.")
        int callsPerBackend,

        @Default("16")
        @AllowedRange(min = "1", max = "100000")
        @Doc("The lower bound of that limit, however slow the backend is; no more than `callsPerBackend`.")
        int fewestPerBackend,

        @Default("128")
        @AllowedRange(min = "0", max = "100000")
        @Doc(
                "Maximum number of calls that wait at each backend until fewer are under way; more are answered `OVERLOADED` at once.")
        int waiting,

        @Default("1s")
        @AllowedRange(min = "1ms", max = "1m")
        @Doc("How long a call waits before it is answered `OVERLOADED`.")
        Duration longestWait,

        @Default("0.5")
        @AllowedRange(min = "0.01", max = "1")
        @Doc("The part of calls under way and of waiting calls, for each backend and in all, that one team may use, and"
                + " of all other queues; at least one. Applies if the teams file has more than one team.")
        double teamShare,

        @Default("8192")
        @AllowedRange(min = "1", max = "1000000")
        @Doc(
                "Maximum number of open streams of change notifications. At the limit, the oldest one of a team with more is closed for a team with fewer.")
        int streams,

        @Default("128MiB")
        @AllowedRange(min = "1MiB", max = "64GiB")
        @Doc("Maximum size of all request bodies in memory, at least twice `server.maxBodySize`; a team may use half of"
                + " it. More are answered 503 with `Retry-After`.")
        Size bodies,

        @Default("50") @AllowedRange(min = "1", max = "1000") @Doc("Maximum number of messages in one JSON-RPC batch.")
        int batchSize) {}
