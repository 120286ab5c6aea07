package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Identifies a version of a file: it differs when the file has changed. All missing files have the same one. */
record FileVersion(long modified, long size, @Nullable Object key) {
    /** The current version of {@code file}. */
    static FileVersion of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileVersion(attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
        } catch (IOException _) {
            return new FileVersion(0, 0, null);
        }
    }
}
