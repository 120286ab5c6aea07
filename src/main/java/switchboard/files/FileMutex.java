package switchboard.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Excludes threads of this process and other processes from each other, by a lock on a file. Thread-safe. */
public final class FileMutex {
    /** Locks of files are held by a process, not by its threads. */
    private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private final Path file;
    private final ReentrantLock threads;

    /** Work on files, which fails as they do. */
    @FunctionalInterface
    public interface FileWork<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /** A lock on {@code file}, which is created when it is first taken. */
    public FileMutex(Path file) {
        this.file = file;
        this.threads = THREADS.computeIfAbsent(file.toAbsolutePath().normalize(), _ -> new ReentrantLock());
    }

    /** Runs {@code work} while nobody else holds the lock; waits for it. The folder of the file must exist. */
    public <T> T run(FileWork<T> work) throws IOException {
        threads.lock();
        try (FileChannel channel = PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            return work.run();
        } finally {
            threads.unlock();
        }
    }
}
