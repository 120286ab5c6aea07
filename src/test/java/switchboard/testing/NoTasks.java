package switchboard.testing;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import switchboard.concurrent.TeamShare;
import switchboard.task.TaskFolder;
import switchboard.task.TaskLimits;
import switchboard.task.TaskStore;

/** The store of a gateway that has no tasks. */
public final class NoTasks {
    private static final TaskLimits LIMITS =
            new TaskLimits(0, 0, 1, Duration.ofHours(1), Duration.ofHours(1), 1024, new TeamShare(1));

    private NoTasks() {}

    /** A store that is never opened, so that it has no folder and runs nothing. */
    public static TaskStore store() {
        return new TaskStore(new TaskFolder(Path.of("no-tasks")), LIMITS, null, Clock.systemUTC());
    }
}
