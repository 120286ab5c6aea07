package switchboard.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A store's folder: {@code lock} and {@code owner}, {@code format} with the version of the layout, and {@code
 * namespaces}.
 *
 * @param lock keeps other processes out
 * @param catalog the namespaces
 * @param backup copies and checks them
 */
record StoreFolder(FolderLock lock, NamespaceCatalog catalog, StoreBackup backup) implements AutoCloseable {
    /** The version of the layout that this code writes. */
    static final int FORMAT = 1;

    static final String FORMAT_FILE = "format";
    static final String SPACES = "spaces";

    /** Opens a folder, which is created if it is missing. */
    static StoreFolder open(Path folder, DirectoryFactory directories) throws IOException {
        DurableFiles.folders(folder);
        FolderLock lock = FolderLock.take(folder);
        try {
            checkFormat(folder);
            NamespaceCatalog catalog = NamespaceCatalog.open(folder.resolve(SPACES), directories);
            return new StoreFolder(lock, catalog, new StoreBackup(folder, catalog, directories));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static void checkFormat(Path folder) throws IOException {
        Path file = folder.resolve(FORMAT_FILE);
        if (!Files.exists(file)) {
            DurableFiles.write(file, ByteBuffer.wrap((FORMAT + "\n").getBytes(StandardCharsets.UTF_8)));
            return;
        }
        String found = Files.readString(file).strip();
        if (!found.equals(Integer.toString(FORMAT))) {
            throw new IOException("The data folder " + folder + " has format " + found + "; this version reads format "
                    + FORMAT + ". Use the version that wrote it, or restore a backup.");
        }
    }

    @Override
    public void close() throws IOException {
        catalog.close();
        lock.close();
    }
}
