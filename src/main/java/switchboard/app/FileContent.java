package switchboard.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The content of a watched file, used to tell a complete file from one that was truncated. */
final class FileContent {
    private static final long MOST_BYTES = 8 * 1024 * 1024;

    private final byte[] bytes;
    private final @Nullable Object key;

    private FileContent(byte[] bytes, @Nullable Object key) {
        this.bytes = bytes;
        this.key = key;
    }

    /** Reads {@code file}; null if it can't be read or is too long to be kept. */
    static @Nullable FileContent of(Path file) {
        try {
            return Files.size(file) > MOST_BYTES
                    ? null
                    : new FileContent(
                            Files.readAllBytes(file), FileVersion.of(file).key());
        } catch (IOException _) {
            return null;
        }
    }

    /**
     * Why this looks like an incomplete file, or null.
     *
     * @param before the content that was last in use
     * @param early whether the file may still be being written, so that having only the beginning of {@code before}
     *     counts as incomplete
     */
    @Nullable
    String partOf(@Nullable FileContent before, boolean early) {
        if (new String(bytes, StandardCharsets.UTF_8).isBlank()) {
            return "is empty";
        }
        if (before == null || bytes.length >= before.bytes.length) {
            return null;
        }
        if (Arrays.mismatch(before.bytes, bytes) != bytes.length) {
            return null;
        }
        if (bytes[bytes.length - 1] != '\n' && before.bytes[bytes.length] != '\n') {
            return "ends in the middle of a line of the previous version, as if it were truncated";
        }
        boolean inPlace = Objects.equals(key, before.key); // a file that was moved here is complete
        return early && inPlace
                ? "is only the beginning of the previous version, as if it were still being written"
                : null;
    }
}
