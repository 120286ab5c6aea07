package switchboard.config;

import java.time.Duration;

/** Tasks: long work whose client asks for the result later. */
public record TasksConfig(
        @Default("1000")
        @AllowedRange(min = "0", max = "10000")
        @Doc("Maximum number of tasks that are kept, under way or ended; with several teams, one has at most"
                + " `limits.teamShare` of it. At the limit, calls are answered with their result as for other clients."
                + " 0 turns tasks off.")
        int max,

        @Default("100") @AllowedRange(min = "1", max = "10000") @Doc("The same for each caller.")
        int perCaller,

        @Default("4")
        @AllowedRange(min = "1", max = "1000")
        @Doc(
                "Maximum number of tasks of each backend whose work the gateway itself does at the same time, but no more than"
                        + " a quarter of `limits.fewestPerBackend` (at least 1), because each takes the place of a call; with"
                        + " several teams, one has at most `limits.teamShare` of it. Eight times as many wait for their turn;"
                        + " further calls are answered with their result as for other clients.")
        int running,

        @Default("1h")
        @AllowedRange(min = "1s", max = "1d")
        @Doc("Time limit for the work of a task, in place of the tool's.")
        Duration timeout,

        @Default("1h")
        @AllowedRange(min = "1s", max = "7d")
        @Doc("How long a task is kept after that time limit: `ttlMs` is the sum of both.")
        Duration keep,

        @Default("1MiB") @AllowedRange(min = "1KiB", max = "16MiB") @Doc("Maximum size of a task's result.")
        Size resultSize) {}
