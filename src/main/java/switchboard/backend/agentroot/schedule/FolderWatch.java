package switchboard.backend.agentroot.schedule;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells whether something has changed in a folder or below it. Symbolic links are not followed. Blocks; not thread-safe. */
public final class FolderWatch implements AutoCloseable {
    private final Path root;
    private final int most;
    private final @Nullable Object identity;
    private final WatchService service;
    private final Map<WatchKey, Path> watched = new HashMap<>();
    private boolean tooMany;
    private volatile boolean watching;

    /**
     * Watches {@code root}.
     *
     * @param most how many folders are watched at most; if there are more, none is
     */
    public FolderWatch(Path root, int most) throws IOException {
        this.root = root;
        this.most = most;
        this.identity = identity(root);
        this.service = root.getFileSystem().newWatchService();
        try {
            watch(root);
            watching = !watched.isEmpty();
        } catch (IOException e) {
            service.close();
            throw e;
        }
    }

    /** The folder that is watched. */
    public Path root() {
        return root;
    }

    /** Whether there are more folders than may be watched, so that none is. */
    public boolean tooMany() {
        return tooMany;
    }

    /** Whether the folder is gone, so that another one of its name has to be watched anew. */
    public boolean lost() {
        return !tooMany && !watching;
    }

    /** Whether it is watched. Any thread may ask. */
    public boolean watching() {
        return watching;
    }

    /** Whether another folder, or none, has its name by now. */
    public boolean replaced() {
        try {
            return !Objects.equals(identity, identity(root));
        } catch (IOException _) {
            return true;
        }
    }

    private static @Nullable Object identity(Path folder) throws IOException {
        return Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Whether something has changed since the last time, or may have. If it fails, not all is watched any more. */
    public boolean changed() throws IOException {
        boolean changed = false;
        WatchKey key = tooMany ? null : service.poll();
        while (key != null) {
            Path folder = watched.get(key);
            try {
                for (WatchEvent<?> event : key.pollEvents()) {
                    changed = true;
                    follow(folder, event);
                }
            } finally {
                if (!key.reset()) {
                    watched.remove(key);
                }
            }
            key = tooMany ? null : service.poll();
        }
        watching = !watched.isEmpty();
        return changed;
    }

    private void follow(@Nullable Path folder, WatchEvent<?> event) throws IOException {
        if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
            watch(root);
        } else if (folder != null && event.kind().equals(StandardWatchEventKinds.ENTRY_CREATE)) {
            watch(folder.resolve((Path) event.context()));
        }
    }

    private void watch(Path below) throws IOException {
        if (!Files.isDirectory(below, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(below, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                WatchKey key = folder.register(
                        service,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_DELETE,
                        StandardWatchEventKinds.ENTRY_MODIFY);
                watched.put(key, folder);
                if (watched.size() > most) {
                    giveUp();
                    return FileVisitResult.TERMINATE;
                }
                return FileVisitResult.CONTINUE;
            }

            /** What is gone by now, or can't be read, is not watched. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void giveUp() {
        tooMany = true;
        watched.keySet().forEach(WatchKey::cancel);
        watched.clear();
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
