package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.ToolException;

/** Paths that change between the look at them and the reading. */
class IngestFoldersTest {
    private static final String SECRET = "secret";

    @TempDir
    Path disk;

    private Path root;
    private Path outside;
    private IngestFolders folders;

    @BeforeEach
    void files() throws IOException {
        root = Files.createDirectories(disk.toRealPath().resolve("open"));
        outside = Files.createDirectories(disk.toRealPath().resolve("closed"));
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/note.md"), "note");
        Files.writeString(outside.resolve("note.md"), SECRET);
        folders = new IngestFolders("docs", List.of(root), 1000, false);
    }

    private static String text(IngestFolders.ReadFile file) {
        return new String(file.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsReadThroughLinksThatStayInside() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a/b"));
        assertEquals("note", text(folders.read(folders.locate("a/b/note.md"))));
        assertEquals("note", text(folders.read(folders.locate("link/note.md"))));
        Files.writeString(root.resolve("top.md"), "top");
        assertEquals("top", text(folders.read(folders.locate("top.md"))));
    }

    @Test
    void whereOtherGatewaysMayHaveTheFileAMissingOneSaysSo() {
        IngestFolders shared = new IngestFolders("docs", List.of(root), 1000, true);
        String told = assertThrows(ToolException.class, () -> shared.locate("nothing.md"))
                .getMessage();
        assertTrue(told.contains("no file nothing.md on this gateway") && told.contains("need the same folders"), told);
        String alone = assertThrows(ToolException.class, () -> folders.locate("nothing.md"))
                .getMessage();
        assertFalse(alone.contains("gateway"), alone);
    }

    @Test
    void aSingleFileMayBeOpenInsteadOfAFolder() throws IOException {
        IngestFolders one = new IngestFolders("docs", List.of(outside.resolve("note.md")), 1000, false);
        assertEquals(SECRET, text(one.read(one.locate(outside.resolve("note.md").toString()))));
        Path beside = Files.writeString(outside.resolve("beside.md"), "closed");
        assertThrows(ToolException.class, () -> one.locate(beside.toString()));
    }

    @Test
    void aFolderThatBecomesALinkIsNotFollowed() throws IOException {
        Path located = folders.locate("a/b/note.md");
        Files.delete(located);
        Files.delete(root.resolve("a/b"));
        Files.createSymbolicLink(root.resolve("a/b"), outside);
        assertThrows(ToolException.class, () -> folders.read(located));
    }

    @Test
    void aFileThatBecomesALinkOrAFolderIsNotRead() throws IOException {
        Path located = folders.locate("a/b/note.md");
        Files.delete(located);
        Files.createSymbolicLink(located, outside.resolve("note.md"));
        assertThrows(ToolException.class, () -> folders.read(located));
        Files.delete(located);
        Files.createDirectory(located);
        assertThrows(ToolException.class, () -> folders.read(located));
        Files.delete(located);
        assertThrows(ToolException.class, () -> folders.read(located));
    }

    @Test
    void whoeverSwapsFoldersAllTheTimeNeverGetsAnythingElseRead() throws Exception {
        Path door = root.resolve("a/b");
        Path aside = root.resolve("a/aside");
        Path link = Files.createSymbolicLink(root.resolve("a/link"), outside);
        AtomicBoolean over = new AtomicBoolean();
        Thread swapping = Thread.ofPlatform().start(() -> {
            try {
                while (!over.get()) {
                    Files.move(door, aside);
                    Files.move(link, door, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(door, link, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(aside, door);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        int read = 0;
        for (int i = 0; i < 2000; i++) {
            try {
                assertEquals("note", text(folders.read(folders.locate("a/b/note.md"))));
                read++;
            } catch (ToolException refused) {
                assertFalse(refused.failed().message().contains(SECRET));
            }
        }
        over.set(true);
        swapping.join();
        assertEquals("note", text(folders.read(folders.locate("a/b/note.md"))));
        assertFalse(read == 0 && !Files.exists(door), "the file is there in the end");
    }
}
