package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A text file that somebody else is still writing. Only lines that have their end count: a reader sees a file between two
 * writes, and a line may need more than one.
 */
public record GrowingFile(Path path) {
    /** The complete lines so far; none if the file does not exist yet. */
    public List<String> lines() {
        try {
            byte[] bytes = Files.readAllBytes(path);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
