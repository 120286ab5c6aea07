package switchboard.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import switchboard.files.LockFile;

/**
 * The lock file of a data folder, so that only one process uses it. The operating system releases it when the process
 * ends.
 */
final class FolderLock implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String OWNER = "owner";

    private final Path folder;
    private final LockFile lock;

    private FolderLock(Path folder, LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Takes the lock.
     *
     * @throws FolderInUseException if another process, or another store of this process, holds it
     */
    static FolderLock take(Path folder) throws IOException {
        LockFile lock = LockFile.take(folder.resolve(LOCK))
                .orElseThrow(() -> new FolderInUseException(
                        folder.getFileName().toString(), readOwner(folder).orElse(null)));
        Files.deleteIfExists(folder.resolve(OWNER));
        return new FolderLock(folder, lock);
    }

    /** Writes the address of this process beside the lock, readable by this user only. */
    void announce(String address) throws IOException {
        Path written = folder.resolve(OWNER + ".new");
        Files.deleteIfExists(written);
        DurableFiles.write(written, ByteBuffer.wrap(address.getBytes(StandardCharsets.UTF_8)));
        Files.move(written, folder.resolve(OWNER), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The address that the owner of {@code folder} has written. Its process may have ended. */
    private static Optional<String> readOwner(Path folder) {
        try {
            return Optional.of(Files.readString(folder.resolve(OWNER)).strip()).filter(address -> !address.isEmpty());
        } catch (IOException _) {
            // The owner has not written it yet, or the file belongs to another user.
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(folder.resolve(OWNER));
        lock.close();
    }
}
