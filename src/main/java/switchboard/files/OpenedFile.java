package switchboard.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file below a folder, opened step by step through an {@link OpenFolder}.
 *
 * @param attributes the file's attributes
 * @param content its bytes; empty if it is not a regular file
 */
public record OpenedFile(BasicFileAttributes attributes, InputStream content) implements AutoCloseable {
    /**
     * Opens {@code real}.
     *
     * @param root a folder above it
     * @param real a path without symbolic links
     * @throws IOException if it does not exist, or now contains symbolic links
     */
    public static OpenedFile open(Path root, Path real) throws IOException {
        Path above = real.getParent();
        if (above == null || !above.startsWith(root)) {
            throw new IOException(real + " is not below " + root);
        }
        try (OpenFolder folder = OpenFolder.open(root, above)) {
            BasicFileAttributes attributes = folder.attributes(real.getFileName());
            return new OpenedFile(
                    attributes,
                    attributes.isRegularFile() ? folder.file(real.getFileName()) : InputStream.nullInputStream());
        }
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
