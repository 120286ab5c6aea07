package switchboard.backend.agentroot.sqlite;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder for the temporary files of one process, accessible to this user only. Blocks. */
final class PrivateFolder {
    private PrivateFolder() {}

    /** Makes one. */
    static Path create() throws IOException {
        return Files.createTempDirectory(
                        "switchboard-sql-" + ProcessHandle.current().pid() + "-")
                .toRealPath();
    }

    /** Removes one with its files; it has no folders. */
    static void clear(String folder) {
        Path path = Path.of(folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException _) {
            // Somebody else removes it at this moment, or the system will.
        }
    }
}
