package switchboard.store;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a store is kept.
 *
 * @param folder its own folder; made if missing
 * @param name for its threads and metrics: the backend's id
 * @param maxOpenSpaces how many spaces stay open between calls
 * @param idleClose after how long without a call a space is closed
 * @param readThreads how many reads run at once
 * @param maxWaiting how many reads, and how many writes, may wait at most; more answer {@code OVERLOADED}
 */
public record StoreSettings(
        Path folder, String name, int maxOpenSpaces, Duration idleClose, int readThreads, int maxWaiting) {
    /** The usual settings. */
    public static StoreSettings of(Path folder, String name) {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new StoreSettings(folder, name, 64, Duration.ofMinutes(5), threads, 1000);
    }
}
