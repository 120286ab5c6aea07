package switchboard.store;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;

/**
 * The settings of a store.
 *
 * @param folder its own folder; created if missing
 * @param name used for threads and metrics: the backend's id
 * @param maxOpenNamespaces how many namespaces stay open between calls
 * @param idleClose a namespace is closed after this time without a call
 * @param readThreads how many reads run at once
 * @param maxWaiting how many reads, and how many writes, may wait; more are refused with {@code OVERLOADED}
 * @param share the part of threads and queues that one team may use
 * @param upgraded whether documents that an earlier version has analysed are analysed again after the start
 */
public record StoreSettings(
        Path folder,
        String name,
        int maxOpenNamespaces,
        Duration idleClose,
        int readThreads,
        int maxWaiting,
        TeamShare share,
        boolean upgraded) {
    /** How many reads, and how many writes, may wait unless settings say otherwise. */
    public static final int MAX_WAITING = 1000;

    /** The same, upgraded. */
    public StoreSettings(
            Path folder,
            String name,
            int maxOpenNamespaces,
            Duration idleClose,
            int readThreads,
            int maxWaiting,
            TeamShare share) {
        this(folder, name, maxOpenNamespaces, idleClose, readThreads, maxWaiting, share, true);
    }

    /** The same for a store whose documents stay as they are. */
    public StoreSettings asItIs() {
        return new StoreSettings(folder, name, maxOpenNamespaces, idleClose, readThreads, maxWaiting, share, false);
    }

    /** Default settings, without limits for teams. */
    public static StoreSettings of(Path folder, String name) {
        return of(folder, name, 1000, Duration.ofHours(1), TeamShare.ALL);
    }

    /** With as many threads as the machine has cores. */
    public static StoreSettings of(
            Path folder, String name, int maxOpenNamespaces, Duration idleClose, TeamShare share) {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new StoreSettings(folder, name, maxOpenNamespaces, idleClose, threads, MAX_WAITING, share);
    }

    /**
     * One of the store's executors.
     *
     * @param kind follows the store's name in that of the executor
     * @param threads how much work runs at once
     * @param waiting how much work may wait
     */
    BlockingExecutor executor(Vertx vertx, MeterRegistry meters, String kind, int threads, int waiting) {
        return new BlockingExecutor(vertx, meters, name + kind, threads, waiting, share);
    }

    /** Whether the folder is that of a store already. */
    public boolean exists() {
        return Files.isRegularFile(folder.resolve(StoreFolder.FORMAT_FILE));
    }
}
