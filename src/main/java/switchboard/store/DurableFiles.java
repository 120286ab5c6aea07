package switchboard.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import switchboard.files.PrivateFiles;

/** Writes small files and folders. They are on the disk (synced) when the call returns. */
final class DurableFiles {
    private DurableFiles() {}

    /** Writes a file. */
    static void write(Path file, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = PrivateFiles.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        PrivateFiles.syncFolder(file.toAbsolutePath().getParent());
    }

    /** Creates a folder and its missing parents, and syncs each parent. */
    static void folders(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Path parent = absolute.getParent();
        if (!Files.isDirectory(absolute) && parent != null) {
            folders(parent);
            PrivateFiles.folders(absolute);
            PrivateFiles.syncFolder(parent);
        }
    }

    /** Removes a folder and everything in it. */
    static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
