package switchboard.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file that one process at a time holds. The operating system releases it when the process ends. */
public final class LockFile implements AutoCloseable {
    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock {@code file}, which is created if it is missing; empty if this or another process holds it. */
    public static Optional<LockFile> take(Path file) throws IOException {
        FileChannel channel =
                PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            taken = locked(channel);
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        return taken ? Optional.of(new LockFile(channel)) : Optional.empty();
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException sameProcess) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
