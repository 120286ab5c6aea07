package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.FolderWalk.FoundFile;
import switchboard.backend.agentroot.sqlite.SqliteProcess;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.OpenedFile;

/** Files below the operator's roots, found and read on an executor of their own. Thread-safe. */
public final class FileTree {
    private static final String HIDDEN = "exclude_hidden";
    private static final String LINKS = "follow_symlinks";

    private static final String MODES = "file_permissions";

    private static final String EMPTY = " has nothing in it on this gateway, as if it were not mounted";

    /**
     * The options for collections of files. The first two are {@code true} unless set to {@code false}. With the last one, who
     * may read a document follows from its file's mode and owner; only if it is {@code true}.
     */
    static final Set<String> OPTIONS = Set.of(HIDDEN, LINKS, MODES);

    private final Roots roots;
    private final BlockingExecutor executor;
    private final CollectionLimits limits;

    /** The files below {@code roots}. */
    public FileTree(Roots roots, BlockingExecutor executor, CollectionLimits limits) {
        this.roots = roots;
        this.executor = executor;
        this.limits = limits;
    }

    /** The files found. */
    record FileListing(List<FoundFile> files, List<Skipped> skipped, boolean complete) {}

    CollectionLimits limits() {
        return limits;
    }

    /** Who may read the files of {@code origin}. */
    FilePermissions permissions(CollectionOrigin origin) {
        return new FilePermissions(roots, modes(origin));
    }

    private static boolean modes(CollectionOrigin origin) {
        return origin.option(MODES).equals(Optional.of("true"));
    }

    /** The same origin with the real path of its file or folder; fails if that may not be read. */
    Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        OPTIONS.forEach(name -> origin.option(name).ifPresent(value -> {
            if (!value.equals("true") && !value.equals("false")) {
                throw new ToolException(FailureKind.INVALID_ARGUMENT, name + " is true or false");
            }
        }));
        return executor.run(context, () -> located(origin))
                .map(path -> new CollectionOrigin(path.toString(), origin.pattern(), origin.options()));
    }

    private Path located(CollectionOrigin origin) throws IOException {
        Path path = locate(origin.path());
        if (modes(origin) && !Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class)) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Files have no mode and owner there. Leave " + MODES + " out, and give allow.");
        }
        return path;
    }

    /** Fails if the file or folder of {@code origin} is not there. */
    Future<Void> find(CollectionOrigin origin, CallContext context) {
        return executor.run(context, () -> locate(origin.path())).mapEmpty();
    }

    /** See {@link DocumentProvider#unmounted}. */
    Future<List<Skipped>> unmounted(CollectionOrigin origin, Collection<String> gone, CallContext context) {
        return gone.isEmpty() || !roots.shared()
                ? Future.succeededFuture(List.of())
                : executor.run(context, () -> unmounted(locate(origin.path()), gone));
    }

    private List<Skipped> unmounted(Path top, Collection<String> gone) throws IOException {
        if (!Files.isDirectory(top)) {
            return List.of();
        }
        // Their modes say nothing of what would be mounted there.
        FilePermissions permissions = new FilePermissions(roots, false);
        List<Skipped> unmounted = new ArrayList<>();
        for (String folder : new EmptyFolders(top).above(gone)) {
            if (folder.isEmpty()) {
                throw new ToolException(
                        FailureKind.CONFLICT,
                        top + EMPTY
                                + ", and the collection has documents: nothing was changed. If it is meant to be empty, put"
                                + " a file into it (such as .keep), or remove the collection.");
            }
            Path place = top.resolve(folder).toRealPath();
            unmounted.add(new Skipped(
                    folder,
                    "The folder" + EMPTY
                            + ", so its documents stay. If it is meant to be empty, remove it, or put a file into"
                            + " it (such as .keep).",
                    permissions.ofUnread(place).inPart()));
        }
        return unmounted;
    }

    /** A regular file below the roots, by the root above it. Blocks. */
    Optional<SqliteProcess.DatabaseFile> file(String name) {
        Path real = locate(name);
        return Files.isRegularFile(real)
                ? Optional.of(new SqliteProcess.DatabaseFile(roots.above(real), real))
                : Optional.empty();
    }

    /** The real path of a name below the roots. Blocks. */
    Path locate(String name) {
        return roots.locate(name);
    }

    /** The files of {@code origin} that its pattern and {@code kind} take; an origin that is a file is that one. */
    Future<FileListing> list(CollectionOrigin origin, Predicate<String> kind, CallContext context) {
        return run(context, () -> {
            Path top = locate(origin.path());
            if (Files.isRegularFile(top)) {
                return new FileListing(List.of(new FoundFile(top.getFileName().toString(), top)), List.of(), true);
            }
            PathGlob glob = PathGlob.byFolder("pattern", origin.pattern());
            FolderWalk walk = new FolderWalk(
                    roots,
                    new FolderWalk.FileSelection(
                            path -> kind.test(path) && glob.matches(path),
                            limits.documents(),
                            isFalse(origin, HIDDEN),
                            !isFalse(origin, LINKS)),
                    context::cancelled);
            walk.walk(top);
            FilePermissions permissions = permissions(origin);
            List<Skipped> skipped = walk.skipped().stream()
                    .map(one -> new Skipped(one.file().path(), one.reason(), leftOut(one, permissions)))
                    .toList();
            return new FileListing(walk.found(), skipped, walk.complete());
        });
    }

    /** Runs blocking work on the executor. */
    <T> Future<T> run(CallContext context, java.util.concurrent.Callable<T> work) {
        return executor.run(context, work);
    }

    /** The same for work that no call waits for alone. */
    <T> Future<T> run(java.util.concurrent.Callable<T> work) {
        return executor.run(work);
    }

    private static boolean isFalse(CollectionOrigin origin, String option) {
        return origin.option(option).equals(Optional.of("false"));
    }

    /** The content and the time of a file, and who may read it. */
    record ReadFile(byte[] bytes, Instant modified, SourcePermission permission) {}

    /**
     * Reads a file below the roots in its current state. A link that is in its path now is not followed. Blocks.
     *
     * @param file a real path
     * @param permissions who may read it
     */
    ReadFile read(Path file, FilePermissions permissions) {
        SourcePermission before = permissions.of(file);
        try (OpenedFile opened = OpenedFile.open(roots.above(file), file)) {
            if (!opened.attributes().isRegularFile()) {
                throw FilePermissions.gone();
            }
            byte[] bytes = opened.content().readNBytes(limits.fileBytes() + 1);
            if (bytes.length > limits.fileBytes()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT, "is larger than the limit of " + limits.fileBytes() + " bytes");
            }
            // What was put there before the file, or right after it, counts.
            return new ReadFile(
                    bytes, opened.attributes().lastModifiedTime().toInstant(), before.and(permissions.of(file)));
        } catch (NoSuchFileException _) {
            throw FilePermissions.gone();
        } catch (IOException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "can't be read");
        }
    }

    /** Who may read what the walk has left out; a file that can't be read may say more. */
    private static SourcePermission leftOut(FolderWalk.LeftOut one, FilePermissions permissions) {
        SourcePermission around = permissions.ofUnread(one.file().file());
        return one.permissionKnown() ? around : around.inPart();
    }

    /** When a file was last changed. Blocks. */
    static Instant modified(Path file) throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    }
}
