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

        @Default("100")
        @AllowedRange(min = "1", max = "10000")
        @Doc("Maximum number of tasks of one caller that are kept.")
        int perCaller,

        @Default("4")
        @AllowedRange(min = "1", max = "1000")
        @Doc("Maximum number of tasks of a backend that run at the same time in this gateway. Each takes the place of a"
                + " call, so it is never more than a quarter of `limits.fewestPerBackend`, but at least 1. With several"
                + " teams, each has at most its `limits.teamShare`. Eight times as many can wait; further calls are"
                + " answered with their result, as for other clients.")
        int running,

        @Default("1h")
        @AllowedRange(min = "1s", max = "1d")
        @Doc(
                "Time limit of a task, in place of the tool's. It counts from the beginning, so the time that the task waits for"
                        + " its turn is part of it.")
        Duration timeout,

        @Default("1h")
        @AllowedRange(min = "1s", max = "7d")
        @Doc("How long a task is kept after that time limit: `ttlMs` is the sum of both.")
        Duration keep,

        @Default("1MiB") @AllowedRange(min = "1KiB", max = "16MiB") @Doc("Maximum size of a task's result.")
        Size resultSize) {}
