package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** What changes when a file does; the same for all files that are missing. */
record FileVersion(long modified, long size, @Nullable Object key) {
    /** The stamp of {@code file} as it is now. */
    static FileVersion of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileVersion(attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
        } catch (IOException _) {
            return new FileVersion(0, 0, null);
        }
    }
}
