package switchboard.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that nobody else can read, and folders that are opened without following links. */
class PrivateFilesTest {
    @TempDir
    Path temp;

    @BeforeEach
    void realPath() throws IOException {
        temp = temp.toRealPath();
    }

    private static String permissions(Path path) throws IOException {
        assumeTrue(path.getFileSystem().supportedFileAttributeViews().contains("posix"));
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void newFilesAndFoldersAreTheirOwnersOnly() throws IOException {
        Path folder = PrivateFiles.folders(temp.resolve("a/b"));
        assertEquals("rwx------", permissions(temp.resolve("a")));
        assertEquals("rwx------", permissions(folder));
        assertEquals(folder, PrivateFiles.folders(folder), "it may be there");
        PrivateFiles.create(folder.resolve("secret"), new byte[] {1, 2});
        assertEquals("rw-------", permissions(folder.resolve("secret")));
        try (FileChannel log =
                PrivateFiles.open(folder.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            assertEquals(0, log.size());
        }
        assertEquals("rw-------", permissions(folder.resolve("log")));
    }

    @Test
    void aFileThatIsThereIsNotOverwrittenButReplacedAsAWhole() throws IOException {
        Path file = temp.resolve("file");
        PrivateFiles.create(file, new byte[] {1, 2, 3});
        assertThrows(FileAlreadyExistsException.class, () -> PrivateFiles.create(file, new byte[] {4}));
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(file));
        Files.write(temp.resolve("file.new"), new byte[] {9, 9, 9, 9}); // left by a killed process
        PrivateFiles.replace(file, new byte[] {5});
        assertArrayEquals(new byte[] {5}, Files.readAllBytes(file));
        assertEquals("rw-------", permissions(file));
        assertEquals(List.of("file"), names(temp));
    }

    @Test
    void aProbeLeavesNothingAndSaysWhyAFolderCanNotBeWritten() throws IOException {
        Path folder = temp.resolve("new");
        PrivateFiles.checkWritable(folder);
        PrivateFiles.checkRoom(folder);
        assertEquals(List.of(), names(folder));
        long pid = ProcessHandle.current().pid();
        for (String left : List.of(".write-probe-" + pid, ".room-probe-" + pid)) {
            Files.createFile(folder.resolve(left));
        }
        PrivateFiles.checkWritable(folder);
        PrivateFiles.checkRoom(folder);
        assertEquals(List.of(), names(folder), "what a killed process of the same id has left goes, too");
        Path file = Files.createFile(temp.resolve("file"));
        assertThrows(IOException.class, () -> PrivateFiles.checkWritable(file));
        assertThrows(NoSuchFileException.class, () -> PrivateFiles.checkRoom(temp.resolve("missing")));
    }

    @Test
    void aFolderIsOpenedStepByStepAndHasItsNamesAndFiles() throws IOException {
        Path below = Files.createDirectories(temp.resolve("a/b"));
        Files.writeString(below.resolve("file"), "text");
        try (OpenFolder folder = OpenFolder.open(temp, below)) {
            assertEquals(below, folder.path());
            assertEquals(List.of(Path.of("file")), folder.names());
            assertTrue(folder.attributes(Path.of("file")).isRegularFile());
            assertEquals(4, folder.attributes(Path.of("file")).size());
            assertArrayEquals(
                    "text".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    folder.file(Path.of("file")).readAllBytes());
        }
        try (OpenFolder root = OpenFolder.open(temp, temp)) {
            assertEquals(temp, root.path());
            try (OpenFolder a = root.folder(Path.of("a"))) {
                assertEquals(temp.resolve("a"), a.path());
            }
        }
        assertThrows(IOException.class, () -> OpenFolder.open(temp, temp.resolve("a/missing/b")));
    }

    @Test
    void noLinkIsFollowedAtAnyStep() throws IOException {
        Path outside = Files.createDirectories(temp.resolve("outside/b"));
        Files.writeString(outside.resolve("secret"), "secret");
        Path root = Files.createDirectory(temp.resolve("root"));
        Files.createSymbolicLink(root.resolve("link"), temp.resolve("outside"));
        Files.createDirectory(root.resolve("a"));
        Files.createSymbolicLink(root.resolve("a/last"), outside);
        Files.createSymbolicLink(root.resolve("a/file"), outside.resolve("secret"));
        assertThrows(IOException.class, () -> OpenFolder.open(root, root.resolve("link/b")));
        assertThrows(IOException.class, () -> OpenFolder.open(root, root.resolve("a/last")));
        try (OpenFolder folder = OpenFolder.open(root, root.resolve("a"))) {
            assertTrue(folder.attributes(Path.of("file")).isSymbolicLink());
            assertFalse(folder.attributes(Path.of("last")).isDirectory());
            assertThrows(IOException.class, () -> folder.file(Path.of("file")));
            assertThrows(IOException.class, () -> folder.folder(Path.of("last")));
        }
    }
}
