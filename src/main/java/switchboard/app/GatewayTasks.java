package switchboard.app;

import java.nio.file.Path;
import switchboard.config.GatewayConfig;
import switchboard.config.TasksConfig;
import switchboard.task.TaskFolder;
import switchboard.task.TaskLimits;
import switchboard.task.TaskStore;

/** The tasks of a gateway with ports, in the folder {@code tasks} of its data folder. Without ports there are none. */
final class GatewayTasks {
    private static final long TICK_MS = 1000;
    private static final int WAITING = 4096;
    private static final int PART_OF_CALLS = 4;

    private final Platform platform;
    private final TaskStore store;
    private long timer = -1;

    GatewayTasks(GatewayConfig config, Path data, Platform platform) {
        this.platform = platform;
        TasksConfig tasks = config.tasks();
        TaskLimits limits = new TaskLimits(
                tasks.max(),
                tasks.perCaller(),
                running(config),
                tasks.timeout(),
                tasks.keep(),
                tasks.resultSize().toInt(),
                platform.share());
        this.store = new TaskStore(
                new TaskFolder(data.resolve("tasks")), limits, platform.executor("tasks", WAITING), platform.clock());
    }

    /** Tasks take places of ordinary calls for long, so they get few of them. */
    private static int running(GatewayConfig config) {
        int fewest =
                Math.min(config.limits().fewestPerBackend(), config.limits().callsPerBackend());
        return Math.max(1, Math.min(config.tasks().running(), fewest / PART_OF_CALLS));
    }

    TaskStore store() {
        return store;
    }

    /** Takes over the tasks of an earlier process, and begins others from now on. Blocks. */
    void open() {
        store.open();
        platform.telemetry().gateway().tasks(store::running);
        timer = platform.vertx().setPeriodic(TICK_MS, _ -> store.tick());
    }

    /** Begins no more. What is under way is cancelled, and has failed when this returns. */
    void stop() {
        platform.vertx().cancelTimer(timer);
        Platform.finish("tasks", store.stop());
    }

    /** Lets another process have the folder, after the platform was closed. */
    void close() {
        store.close();
    }
}
