package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import switchboard.backend.BlockingLane;
import switchboard.backend.CallContext;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Files below the operator's roots. A path that is a file is a collection of that one. */
public final class FileProvider implements Provider {
    private static final int MAX_DEPTH = 100;

    private final Roots roots;
    private final BlockingLane lane;
    private final Limits limits;

    /**
     * A provider.
     *
     * @param lane where files are read
     */
    public FileProvider(Roots roots, BlockingLane lane, Limits limits) {
        this.roots = roots;
        this.lane = lane;
        this.limits = limits;
    }

    @Override
    public String type() {
        return "file";
    }

    @Override
    public String defaultPattern() {
        return "**/*.md";
    }

    @Override
    public Future<Origin> check(Origin origin, CallContext context) {
        return lane.run(context::cancelled, () -> roots.locate(origin.path()))
                .map(path -> new Origin(path.toString(), origin.pattern(), origin.options()));
    }

    @Override
    public Future<Scan> scan(Origin origin, CallContext context) {
        return lane.run(context::cancelled, () -> {
            Path top = roots.locate(origin.path());
            if (Files.isRegularFile(top)) {
                return new Scan(List.of(new FileItem(top.getFileName().toString(), top)), List.of(), true);
            }
            FolderWalk walk = new FolderWalk(
                    top, roots, PathGlob.byFolder(origin.pattern()), limits.documents(), context::cancelled);
            Files.walkFileTree(top, EnumSet.of(FileVisitOption.FOLLOW_LINKS), MAX_DEPTH, walk);
            return new Scan(
                    walk.found().stream()
                            .<Item>map(found -> new FileItem(found.path(), found.file()))
                            .toList(),
                    walk.skipped(),
                    walk.complete());
        });
    }

    private final class FileItem implements Item {
        private final String path;
        private final Path file;

        FileItem(String path, Path file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public Future<Content> load() {
            return lane.run(() -> new Content(read(file), path, null, null, modified(), Map.of()));
        }

        private Instant modified() throws IOException {
            return Files.getLastModifiedTime(file).toInstant();
        }
    }

    /** The bytes of a file below the roots; what it is now counts, not what it was when it was found. */
    byte[] read(Path file) {
        if (!roots.holds(file)) {
            throw new ToolException(FailureKind.NOT_FOUND, "is not there any more, or leads out of the open folders");
        }
        try (InputStream in = Files.newInputStream(file.toRealPath())) {
            byte[] bytes = in.readNBytes(limits.fileBytes() + 1);
            if (bytes.length > limits.fileBytes()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT, "is larger than the limit of " + limits.fileBytes() + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "can't be read");
        }
    }
}
