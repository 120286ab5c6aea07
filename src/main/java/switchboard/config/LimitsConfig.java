package switchboard.config;

import java.time.Duration;

/** Bounds on concurrent work. */
public record LimitsConfig(
        @Default("1024")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Most calls under way at once; more are answered `OVERLOADED`.")
        int calls,

        @Default("256")
        @AllowedRange(min = "1", max = "100000")
        @Doc(
                "The same for each backend. It begins with 32, or with the nearer of its two bounds, gets more while it answers as usual, and fewer while its calls take more than twice as long.")
        int callsPerBackend,

        @Default("16")
        @AllowedRange(min = "1", max = "100000")
        @Doc("How many it gets however slow it is; no more than `callsPerBackend`.")
        int fewestPerBackend,

        @Default("128")
        @AllowedRange(min = "0", max = "100000")
        @Doc("Most calls that wait at each backend until fewer are under way; more are answered `OVERLOADED` at once.")
        int waiting,

        @Default("1s")
        @AllowedRange(min = "1ms", max = "1m")
        @Doc("How long one waits before it is answered `OVERLOADED`.")
        Duration longestWait,

        @Default("0.5")
        @AllowedRange(min = "0.01", max = "1")
        @Doc(
                "The part that one team may hold of the calls under way and of those that wait, of each backend and in all, and"
                        + " of all that they wait for besides; at least one. It counts where the teams file has more than one team.")
        double teamShare,

        @Default("8192")
        @AllowedRange(min = "1", max = "1000000")
        @Doc("Most streams of change notifications open at once; a team gives up its oldest to one that has fewer.")
        int streams,

        @Default("128MiB")
        @AllowedRange(min = "1MiB", max = "64GiB")
        @Doc("Most bytes of request bodies held at once, at least twice `server.maxBodySize`; a team may take half of"
                + " it. More are answered 503 with `Retry-After`.")
        Size bodies,

        @Default("50") @AllowedRange(min = "1", max = "1000") @Doc("Most messages in one JSON-RPC batch.")
        int batchSize) {}
