package switchboard.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Work on files that several processes share: the processes among which Surefire divides the tests, and builds that run at
 * the same time. Thread-safe.
 */
public final class OneAtATime {
    private OneAtATime() {}

    /** What is done. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /**
     * Does {@code work} while no other thread and no other process does anything with the same {@code lock}, and returns
     * what it returns. The lock is a file, which stays; its folder must exist. It is free when the process ends, however it
     * ends.
     */
    public static synchronized <T> T with(Path lock, Work<T> work) throws IOException {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) {
            return work.run();
        }
    }
}
