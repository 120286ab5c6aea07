package switchboard.backend.agentroot.source;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.files.AllowedFolders;

/** The folders that collections may read. Blocks: call it on an executor. */
public final class Roots {
    private final String backend;
    private final AllowedFolders folders;
    private final boolean shared;

    /**
     * The folders {@code roots}, which need not exist yet.
     *
     * @param backend the backend's id, for messages
     * @param shared whether other gateways read the same folders for the same collections
     */
    public Roots(String backend, List<Path> roots, boolean shared) {
        this.backend = backend;
        this.shared = shared;
        this.folders = new AllowedFolders(roots);
    }

    /**
     * The real path of a file or folder below one of the roots.
     *
     * @param name absolute, or relative to one of the roots
     * @throws ToolException if it is outside of them, or not there
     */
    Path locate(String name) {
        if (folders.isEmpty()) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "No files can be indexed: the operator has opened no folder (backends." + backend
                            + ".roots is empty). Ask for one.");
        }
        return switch (folders.locate(name)) {
            case AllowedFolders.LocatedPath.Inside inside -> inside.real();
            case AllowedFolders.LocatedPath.Outside _ -> throw denied(name);
            case AllowedFolders.LocatedPath.Missing _, AllowedFolders.LocatedPath.Unreadable _ -> throw notFound(name);
            case AllowedFolders.LocatedPath.NoPath none ->
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "path is not a valid file name: " + none.reason() + ". Give the path of a folder or file.");
        };
    }

    /** Whether the current target of a path is below a root. */
    boolean holds(Path path) {
        return folders.holds(path);
    }

    /** The root, without links in its own path, that a real path is below; the folder of a file that is a root itself. */
    Path above(Path real) {
        Path root = folders.rootOf(real).orElseThrow(() -> denied(real.toString()));
        Path parent = real.getParent();
        return parent != null && Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS) ? parent : root;
    }

    /** Whether other gateways read the same folders, so that what is not here may still exist. */
    boolean shared() {
        return shared;
    }

    private ToolException notFound(String name) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                shared
                        ? "There is no file or folder " + name
                                + " on this gateway; nothing was changed. Check the path: absolute, or"
                                + " relative to an open folder. Gateways that share collections need the same folders; one that has it"
                                + " can do this."
                        : "There is no file or folder " + name
                                + ". Check the path: absolute, or relative to an open folder.");
    }

    private ToolException denied(String name) {
        return new ToolException(
                FailureKind.DENIED,
                name + " is not in a folder that is open for collections. Use one below those, or ask the operator to"
                        + " add its folder to backends." + backend + ".roots."
                        + (shared
                                ? " Gateways that share collections need the same folders at the same paths, also after"
                                        + " symbolic links."
                                : ""));
    }
}
