package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.ObservedFiles;

class DurableFilesTest {
    @TempDir
    Path temp;

    private final ObservedFiles files = new ObservedFiles();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aFileIsOnTheDiskBeforeItsNameIs() throws IOException {
        Path file = temp.resolve("format");
        Files.writeString(file, "what was there before, and longer");
        DurableFiles.write(files.path(file), bytes("seven"));
        assertEquals("seven", Files.readString(file));
        assertEquals(List.of(file, temp), files.forced());
    }

    @Test
    void foldersAreNamedInTheirParentsOnTheDiskFromTheTopDown() throws IOException {
        Path deepest = temp.resolve("a").resolve("b").resolve("c");
        DurableFiles.folders(files.path(deepest));
        assertTrue(Files.isDirectory(deepest));
        assertEquals(List.of(temp, temp.resolve("a"), temp.resolve("a").resolve("b")), files.forced());
        DurableFiles.folders(files.path(deepest));
        assertEquals(3, files.forced().size(), "what is there already is left alone");
    }

    @Test
    void aFullDiskFailsTheWriteAndNothingIsCalledDurable() {
        files.room(3);
        assertThrows(IOException.class, () -> DurableFiles.write(files.path(temp.resolve("format")), bytes("seven")));
        assertEquals(List.of(), files.forced());
        files.room(100);
        assertEquals("seven", again());
    }

    private String again() {
        try {
            DurableFiles.write(files.path(temp.resolve("format")), bytes("seven"));
            return Files.readString(temp.resolve("format"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aFolderGoesWithAllThatIsInIt() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("gone").resolve("below"));
        Files.writeString(folder.resolve("file"), "x");
        DurableFiles.delete(temp.resolve("gone"));
        assertFalse(Files.exists(temp.resolve("gone")));
    }
}
