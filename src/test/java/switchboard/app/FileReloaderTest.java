package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.ReplacedFile;
import switchboard.testing.logs.AsksForErrors;

/** What a watch takes for a whole file, look by look. */
@AsksForErrors("FileReloader - file.yaml has changed")
class FileReloaderTest {
    private static final String WHOLE = "a: 1\nb: 22\nc: 3\n";

    @TempDir
    Path folder;

    private final List<String> read = new ArrayList<>();
    private Path file;
    private FileReloader watch;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(folder.resolve("file.yaml"), WHOLE);
        watch = new FileReloader(
                () -> Set.of(file),
                () -> {
                    try {
                        read.add(Files.readString(file));
                    } catch (IOException e) {
                        throw new BootException(BootException.Stage.CONFIGURATION, List.of("gone"));
                    }
                    return "read";
                },
                "those before");
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }

    private void replaced(String text) throws IOException {
        ReplacedFile.write(file, text);
    }

    @Test
    void aFileThatGrowsBetweenLooksIsReadWhenItHasStopped() throws IOException {
        Files.writeString(file, "x: 1\n");
        assertFalse(watch.look());
        Files.writeString(file, "x: 1\ny: 2\n");
        assertFalse(watch.look());
        Files.writeString(file, "x: 1\ny: 2\nz: 3\n");
        assertFalse(watch.look());
        assertEquals(List.of(), read);
        assertTrue(watch.look());
        assertEquals(List.of("x: 1\ny: 2\nz: 3\n"), read);
        looks(3);
        assertEquals(1, read.size());
    }

    @Test
    void anEmptyOneIsNeverReadNotEvenWhenTold() throws IOException {
        for (String empty : List.of("", "\n", "  \n\t\n")) {
            Files.writeString(file, empty);
            looks(3 * FileReloader.PATIENCE);
            assertTrue(watch.failed());
            assertFalse(watch.read());
        }
        assertEquals(List.of(), read);
        Files.writeString(file, WHOLE);
        looks(2);
        assertFalse(watch.failed());
    }

    @Test
    void oneCutInALineIsNeverRead() throws IOException {
        for (int length = 1; length < WHOLE.length() - 1; length++) {
            boolean atAnEnd = WHOLE.charAt(length) == '\n' || WHOLE.charAt(length - 1) == '\n';
            if (!atAnEnd) {
                Files.writeString(file, WHOLE.substring(0, length));
                looks(3 * FileReloader.PATIENCE);
                assertTrue(watch.failed(), WHOLE.substring(0, length));
            }
        }
        assertEquals(List.of(), read);
    }

    @Test
    void oneCutBetweenLinesHasTimeForItsRest() throws IOException {
        Files.writeString(file, "a: 1\nb: 22\n");
        looks(2);
        assertTrue(watch.failed());
        assertEquals(List.of(), read);
        Files.writeString(file, WHOLE + "d: 4\n");
        looks(2);
        assertEquals(List.of(WHOLE + "d: 4\n"), read);
        assertFalse(watch.failed());
    }

    @Test
    void whoeverTakesTheLastLinesOutIsNotRefusedForEver() throws IOException {
        Files.writeString(file, "a: 1\n");
        looks(FileReloader.PATIENCE);
        assertEquals(List.of(), read);
        looks(2);
        assertEquals(List.of("a: 1\n"), read);
        assertFalse(watch.failed());
    }

    @Test
    void aFileMovedIntoPlaceIsWhole() throws IOException {
        replaced("a: 1\n");
        looks(2);
        assertEquals(List.of("a: 1\n"), read);
    }

    @Test
    void aTornFileIsReadAtOnceWhenAskedFor() throws IOException {
        Files.writeString(file, "a: 1\n");
        assertTrue(watch.read());
    }

    @Test
    void oneThatIsGoneIsReadWhenItIsBackAsItWas() throws IOException {
        Files.delete(file);
        looks(2);
        assertTrue(watch.failed());
        Files.writeString(file, WHOLE);
        looks(2);
        assertFalse(watch.failed());
        assertEquals(List.of(WHOLE), read);
    }
}
