package switchboard.backend.agentroot.schedule;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;

/** What is noticed in a folder, with the real inotify. */
class FolderWatchTest {
    @TempDir
    private Path temp;

    private Path root;

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(temp.resolve("root/a/b")).getParent().getParent();
    }

    private static boolean changed(FolderWatch watch) {
        try {
            return watch.changed();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void untilChanged(FolderWatch watch, String what) {
        Eventually.that(() -> changed(watch), () -> what);
    }

    @Test
    void changesAtAnyDepthAreNoticed() throws IOException {
        try (FolderWatch watch = new FolderWatch(root, 10)) {
            assertFalse(changed(watch));
            Files.writeString(root.resolve("a/b/file"), "1");
            untilChanged(watch, "a new file");
            Files.createDirectories(root.resolve("new/deep"));
            untilChanged(watch, "a new folder");
            Eventually.that(
                    () -> {
                        try {
                            Files.writeString(root.resolve("new/deep/file"), "1");
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return changed(watch);
                    },
                    () -> "a file in a new folder");
            Files.delete(root.resolve("a/b/file"));
            untilChanged(watch, "a file that is gone");
        }
    }

    /** The marker is written after what must not be noticed, and noticed. */
    @Test
    void linksAreNotFollowed() throws IOException {
        Path other = Files.createDirectory(temp.resolve("other"));
        Files.createSymbolicLink(root.resolve("link"), other);
        try (FolderWatch watch = new FolderWatch(root, 3);
                FolderWatch marker = new FolderWatch(other, 3)) {
            assertFalse(watch.tooMany());
            Files.writeString(other.resolve("file"), "1");
            untilChanged(marker, "a change of the other folder");
            assertFalse(changed(watch));
        }
    }

    @Test
    void aFolderThatAnotherOneReplacesIsNoticed() throws IOException {
        try (FolderWatch watch = new FolderWatch(root, 10)) {
            assertFalse(watch.replaced());
            Files.move(root, temp.resolve("before"));
            assertTrue(watch.replaced());
            Files.createDirectory(root);
            assertTrue(watch.replaced());
        }
    }

    @Test
    void tooManyFoldersAreNotWatched() throws IOException {
        try (FolderWatch watch = new FolderWatch(root, 2)) {
            assertTrue(watch.tooMany());
            Files.writeString(root.resolve("file"), "1");
            assertFalse(changed(watch));
        }
        try (FolderWatch watch = new FolderWatch(root, 3)) {
            assertFalse(watch.tooMany());
            Files.createDirectory(root.resolve("fourth"));
            assertTrue(watch.watching());
            untilChanged(watch, "a new folder");
            assertTrue(watch.tooMany());
            assertFalse(watch.watching());
        }
    }
}
