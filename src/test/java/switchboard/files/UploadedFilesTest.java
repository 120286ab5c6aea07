package switchboard.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.files.UploadedFiles.UploadedFile;

class UploadedFilesTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    @TempDir
    private Path folder;

    private UploadedFiles files;

    @BeforeEach
    void open() {
        files = new UploadedFiles(folder, () -> NOW);
    }

    private UploadedFile reserved(String team, String name, long bytes) throws IOException {
        UploadedFile upload = files.reserve(team, name, bytes).orElseThrow();
        Files.setLastModifiedTime(upload.file(), FileTime.from(NOW));
        return upload;
    }

    private void madeAt(UploadedFile upload, Instant time) throws IOException {
        Files.setLastModifiedTime(upload.file(), FileTime.from(time));
    }

    @Test
    void aFileIsFoundByItsReferenceByItsTeamOnlyUntilItIsRemoved() throws IOException {
        UploadedFile upload = reserved("red", "größe 1.pdf", 3);
        assertEquals("größe 1.pdf", upload.name());
        assertEquals(3, Files.size(upload.file()));
        assertTrue(UploadedFiles.isReference(upload.reference()));
        assertEquals(Optional.of(upload), files.find("red", upload.reference()));
        assertEquals(Optional.empty(), files.find("blue", upload.reference()));
        assertEquals(Optional.empty(), files.find("", upload.reference()));
        files.remove(upload);
        assertEquals(Optional.empty(), files.find("red", upload.reference()));
        files.remove(upload);
    }

    @Test
    void whoCanListTheFolderLearnsNoReference() throws IOException {
        UploadedFile upload = reserved("red", "secret.pdf", 1);
        String id = upload.reference().substring("upload:".length()).split("/", 2)[0];
        try (Stream<Path> all = Files.walk(folder)) {
            assertEquals(
                    List.of(),
                    all.map(Path::toString)
                            .filter(path -> path.contains(id) || path.contains("secret.pdf") || path.contains("red"))
                            .toList());
        }
    }

    @Test
    void nothingOutsideOfTheFolderCanBeReferredTo() throws IOException {
        UploadedFile upload = reserved("red", "a.pdf", 1);
        String id = upload.reference().substring("upload:".length()).split("/", 2)[0];
        for (String other : List.of(
                "upload:../a.pdf",
                "upload:" + "0".repeat(36) + "/a.pdf",
                "upload:" + "-".repeat(36) + "/a.pdf",
                "upload:" + id,
                "upload:" + id + "/",
                "upload:" + id + "/../../a.pdf",
                "upload:" + id + "/b\\a.pdf",
                "upload:" + id + "/a\n.pdf",
                "UPLOAD:" + id + "/a.pdf",
                upload.file().toString())) {
            assertEquals(Optional.empty(), files.find("red", other), other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a/b", "a\\b", "a\u0000", "a\nb", "a\u007f"})
    void someNamesAreNone(String name) {
        assertFalse(UploadedFiles.isName(name), name);
    }

    @Test
    void namesAreOfAnyWritingUpToALength() {
        assertTrue(UploadedFiles.isName("a"));
        assertTrue(UploadedFiles.isName("..pdf"));
        assertTrue(UploadedFiles.isName("灯台 🗼 <b>.pdf"));
        assertTrue(UploadedFiles.isName("x".repeat(255)));
        assertFalse(UploadedFiles.isName("x".repeat(256)));
    }

    @Test
    void aTeamHasRoomForSoManyBytesAndFilesAndOthersHaveTheirs() throws IOException {
        long quarter = UploadedFiles.MOST_BYTES_OF_A_TEAM / 4;
        UploadedFile first = reserved("red", "1", quarter);
        reserved("red", "2", quarter);
        reserved("red", "3", quarter);
        assertEquals(Optional.empty(), files.reserve("red", "4", quarter + 1));
        reserved("red", "4", quarter);
        assertEquals(Optional.empty(), files.reserve("red", "5", 1));
        reserved("blue", "1", quarter);
        files.remove(first);
        reserved("red", "5", quarter);
        for (int i = 1; i < UploadedFiles.MOST_FILES_OF_A_TEAM; i++) {
            reserved("blue", "n" + i, 0);
        }
        assertEquals(Optional.empty(), files.reserve("blue", "one more", 0));
    }

    @Test
    void whatIsOldIsRemovedWhenRoomIsNeeded() throws IOException {
        UploadedFile old = reserved("red", "old", UploadedFiles.MOST_BYTES_OF_A_TEAM);
        madeAt(old, NOW.minus(UploadedFiles.KEPT));
        assertEquals(Optional.of(old), files.find("red", old.reference()));
        assertEquals(Optional.empty(), files.reserve("red", "new", 1), "exactly an hour is not over an hour");
        madeAt(old, NOW.minus(UploadedFiles.KEPT).minus(Duration.ofSeconds(1)));
        assertEquals(Optional.empty(), files.find("red", old.reference()), "it is there, but kept no longer");
        UploadedFile now = reserved("red", "new", 1);
        assertFalse(Files.exists(old.file()));
        assertTrue(Files.exists(now.file()));
    }

    @Test
    void whatIsOldIsRemovedForAllTeams() throws IOException {
        UploadedFile red = reserved("red", "old", 1);
        UploadedFile blue = reserved("blue", "old", 1);
        UploadedFile current = reserved("blue", "new", 1);
        madeAt(red, NOW.minus(UploadedFiles.KEPT).minus(Duration.ofSeconds(1)));
        madeAt(blue, NOW.minus(UploadedFiles.KEPT).minus(Duration.ofSeconds(1)));
        files.sweep();
        assertFalse(Files.exists(red.file()));
        assertFalse(Files.exists(blue.file()));
        assertTrue(Files.exists(current.file()));
        new UploadedFiles(folder.resolve("none"), () -> NOW).sweep();
    }

    @Test
    void allTeamsTogetherHaveRoomForSoMuch() throws IOException {
        long teams = UploadedFiles.MOST_BYTES_OF_ALL / UploadedFiles.MOST_BYTES_OF_A_TEAM;
        for (int team = 0; team < teams; team++) {
            reserved("team" + team, "full", UploadedFiles.MOST_BYTES_OF_A_TEAM);
        }
        assertEquals(Optional.empty(), files.reserve("another", "one", 1));
        reserved("another", "empty", 0);
    }
}
