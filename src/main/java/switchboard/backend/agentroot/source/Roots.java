package switchboard.backend.agentroot.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** The folders that collections may read. Blocks: call it on an executor. */
public final class Roots {
    private static final Logger LOG = LoggerFactory.getLogger(Roots.class);

    private final String backend;
    private final List<Path> roots;

    /**
     * The folders {@code roots}, which need not exist yet.
     *
     * @param backend the backend's id, for messages
     */
    public Roots(String backend, List<Path> roots) {
        this.backend = backend;
        this.roots =
                roots.stream().map(root -> root.toAbsolutePath().normalize()).toList();
    }

    /**
     * The real path of a file or folder below one of the roots.
     *
     * @param name absolute, or relative to one of the roots
     * @throws ToolException if it is outside of them, or not there
     */
    Path locate(String name) {
        if (roots.isEmpty()) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "No files can be indexed: the operator has opened no folder (backends." + backend
                            + ".roots is empty). Ask for one.");
        }
        boolean outside = true;
        for (Path candidate : candidates(name)) {
            if (inside(candidate)) {
                outside = false;
                Optional<Path> real = real(candidate);
                if (real.isPresent() && !inside(real.get())) {
                    throw denied(name);
                } else if (real.isPresent()) {
                    return real.get();
                }
            }
        }
        throw outside
                ? denied(name)
                : new ToolException(
                        FailureKind.NOT_FOUND,
                        "There is no file or folder " + name
                                + ". Check the path: absolute, or relative to an open folder.");
    }

    /** Whether the current target of a path is below a root. */
    boolean holds(Path path) {
        return real(path).filter(this::inside).isPresent();
    }

    /** The root, without links in its own path, that a real path is below; the folder of a file that is a root itself. */
    Path above(Path real) {
        Path root = roots.stream()
                .flatMap(one -> real(one).stream())
                .filter(real::startsWith)
                .findFirst()
                .orElseThrow(() -> denied(real.toString()));
        Path parent = real.getParent();
        return parent != null && Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS) ? parent : root;
    }

    private List<Path> candidates(String name) {
        try {
            Path given = Path.of(name);
            return given.isAbsolute()
                    ? List.of(given.normalize())
                    : roots.stream()
                            .map(root -> root.resolve(given).normalize())
                            .toList();
        } catch (InvalidPathException e) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "path is not a valid file name: " + e.getReason() + ". Give the path of a folder or file.");
        }
    }

    private boolean inside(Path path) {
        List<Path> allowed = new ArrayList<>(roots);
        for (Path root : roots) {
            real(root).ifPresent(allowed::add);
        }
        return allowed.stream().anyMatch(path::startsWith);
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            LOG.debug("{} can't be followed: {}", path, e.getClass().getSimpleName());
            return Optional.empty();
        }
    }

    private ToolException denied(String name) {
        return new ToolException(
                FailureKind.DENIED,
                name + " is not in a folder that is open for collections. Use one below those, or ask the operator to"
                        + " add its folder to backends." + backend + ".roots.");
    }
}
