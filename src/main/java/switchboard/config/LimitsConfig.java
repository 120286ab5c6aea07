package switchboard.config;

/** Bounds on concurrent work. */
public record LimitsConfig(
        @Default("1024")
        @Range(min = "1", max = "100000")
        @Doc("Most calls under way at once; more are answered `OVERLOADED`.")
        int calls,

        @Default("256") @Range(min = "1", max = "100000") @Doc("The same for each backend.")
        int callsPerBackend,

        @Default("128MiB")
        @Range(min = "1MiB", max = "64GiB")
        @Doc("Most bytes of request bodies held at once, at least twice `server.maxBodySize`; a team may take half of"
                + " it. More are answered 503 with `Retry-After`.")
        Size bodies,

        @Default("50") @Range(min = "1", max = "1000") @Doc("Most messages in one JSON-RPC batch.")
        int batchSize) {}
