package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Copies files and folders with their times and permissions. */
public final class FolderCopy {
    private FolderCopy() {}

    /** Copies a file or a folder to {@code to}; what is there already in a folder stays. */
    public static void of(Path from, Path to) throws IOException {
        of(from, to, _ -> false);
    }

    /**
     * Copies a folder without some of it.
     *
     * @param left says of a path below {@code from}, relative to it, whether it is left out with all below it
     */
    public static void of(Path from, Path to, Predicate<Path> left) throws IOException {
        if (Files.isRegularFile(from)) {
            Files.createDirectories(to.toAbsolutePath().getParent());
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
            return;
        }
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!left.test(entry.getFileName())) {
                    Path name = entry.getFileName();
                    of(entry, to.resolve(name), below -> left.test(name.resolve(below)));
                }
            }
        }
    }
}
