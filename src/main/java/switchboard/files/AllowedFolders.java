package switchboard.files;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders, or single files, that callers may read. A symbolic link counts as what it leads to. Immutable; blocks.
 */
public final class AllowedFolders {
    private static final Logger LOG = LoggerFactory.getLogger(AllowedFolders.class);

    private final List<Path> roots;

    /** The folders {@code roots}, which need not exist yet. */
    public AllowedFolders(List<Path> roots) {
        this.roots =
                roots.stream().map(root -> root.toAbsolutePath().normalize()).toList();
    }

    /** The answer of {@link #locate}. */
    public sealed interface LocatedPath {
        /** A file or folder that may be read, by its real path, which contains no symbolic links. */
        record Inside(Path real) implements LocatedPath {}

        /** The name, or what it leads to, is not in one of the folders. */
        record Outside() implements LocatedPath {}

        /** The name is in one of the folders, but leads to nothing. */
        record Missing() implements LocatedPath {}

        /** The name can't be a path; {@code reason} says why. */
        record NoPath(String reason) implements LocatedPath {}

        /** The name can't be followed. */
        record Unreadable(IOException cause) implements LocatedPath {}
    }

    /** Whether nothing may be read. */
    public boolean isEmpty() {
        return roots.isEmpty();
    }

    /**
     * Follows a name.
     *
     * @param name absolute, or relative to one of the folders
     */
    public LocatedPath locate(String name) {
        Path given;
        try {
            given = Path.of(name);
        } catch (InvalidPathException e) {
            return new LocatedPath.NoPath(e.getReason());
        }
        LocatedPath found = new LocatedPath.Outside();
        for (Path candidate : candidates(given)) {
            if (inside(candidate)) {
                try {
                    Path real = candidate.toRealPath();
                    return inside(real) ? new LocatedPath.Inside(real) : new LocatedPath.Outside();
                } catch (NoSuchFileException _) {
                    found = found instanceof LocatedPath.Unreadable ? found : new LocatedPath.Missing();
                } catch (IOException e) {
                    found = new LocatedPath.Unreadable(e);
                }
            }
        }
        return found;
    }

    /** Whether {@code path} leads to something in one of the folders. */
    public boolean holds(Path path) {
        return real(path).filter(this::inside).isPresent();
    }

    /** The real path of the folder that contains {@code real}, a real path; empty if none does. */
    public Optional<Path> rootOf(Path real) {
        return realRoots().filter(real::startsWith).findFirst();
    }

    private List<Path> candidates(Path given) {
        return given.isAbsolute()
                ? List.of(given.normalize())
                : roots.stream().map(root -> root.resolve(given).normalize()).toList();
    }

    /** Whether {@code path} is in one of the folders, by their names or by their real paths. */
    private boolean inside(Path path) {
        return Stream.concat(roots.stream(), realRoots()).anyMatch(path::startsWith);
    }

    private Stream<Path> realRoots() {
        return roots.stream().flatMap(root -> real(root).stream());
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            LOG.debug("{} can't be followed: {}", path, e.getClass().getSimpleName());
            return Optional.empty();
        }
    }
}
