package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces a file in one step, as editors and Kubernetes do it: whoever reads it meanwhile reads all of the old or of the new. */
public final class ReplacedFile {
    private ReplacedFile() {}

    /** Has {@code file} contain {@code text}. */
    public static Path write(Path file, String text) throws IOException {
        Path draft = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
