package switchboard.store;

import java.nio.file.Path;
import java.time.Duration;
import switchboard.concurrent.TeamShare;

/**
 * How a store is kept.
 *
 * @param folder its own folder; made if missing
 * @param name for its threads and metrics: the backend's id
 * @param maxOpenSpaces how many namespaces stay open between calls
 * @param idleClose after how long without a call a namespace is closed
 * @param readThreads how many reads run at once
 * @param maxWaiting how many reads, and how many writes, may wait at most; more answer {@code OVERLOADED}
 * @param share how much of threads and queues one team may hold
 */
public record StoreSettings(
        Path folder,
        String name,
        int maxOpenSpaces,
        Duration idleClose,
        int readThreads,
        int maxWaiting,
        TeamShare share) {
    /** The usual settings of a store that all use alike. */
    public static StoreSettings of(Path folder, String name) {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new StoreSettings(folder, name, 64, Duration.ofMinutes(5), threads, 1000, TeamShare.ALL);
    }
}
