package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.SmallDisk;
import switchboard.testing.logs.AsksForErrors;

/** What is approved stays so, and nothing else becomes so, whatever happens to the file of the approvals. */
class LivePinsTest {
    private static final PinFile.Pins APPROVED = new PinFile.Pins(Map.of("add", "1234"), Map.of(), List.of());

    @TempDir
    Path folder;

    private Path path;
    private LivePins pins;

    @BeforeEach
    void start() throws IOException {
        path = folder.resolve("upstreams").resolve("tools.json");
        new PinFile(folder, "tools").write(APPROVED);
        pins = new LivePins("tools", new PinFile(folder, "tools"));
        assertEquals(APPROVED, pins.open());
    }

    @AsksForErrors("LivePins - ")
    @Test
    void anEmptyOrCutFileChangesNothing() throws IOException {
        String whole = Files.readString(path);
        for (String cut : List.of("", " ", "{}", "null", "[]", whole.substring(0, whole.length() - 1))) {
            Files.delete(path);
            Files.writeString(path, cut);
            assertEquals(APPROVED, pins.current(), cut);
            assertTrue(pins.failed(), cut);
            pins.replace(APPROVED);
            assertEquals(cut, Files.readString(path), "left to the operator");
        }
        PinFile.Pins more = new PinFile.Pins(Map.of("add", "1234", "sub", "5678"), Map.of(), List.of());
        Files.delete(path);
        new PinFile(folder, "tools").write(more);
        assertEquals(more, pins.current());
        assertFalse(pins.failed());
    }

    @Test
    void aFileThatIsGoneIsWrittenAgain() throws IOException {
        Files.delete(path);
        assertTrue(pins.changed() || pins.changed());
        assertEquals(APPROVED, pins.current());
        assertEquals(APPROVED, new PinFile(folder, "tools").read());
        assertFalse(pins.failed());
    }

    @Test
    void whatADiskWithoutRoomDidNotTakeIsWrittenWhenThereIsSome() throws IOException {
        PinFile.Pins more = new PinFile.Pins(Map.of("add", "1234", "sub", "5678"), Map.of(), List.of());
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            new PinFile(disk.folder(), "tools").write(APPROVED);
            LivePins small = new LivePins("tools", new PinFile(disk.folder(), "tools"));
            small.open();
            disk.fill();
            small.replace(more);
            assertEquals(more, small.current(), "what was decided is in force");
            assertTrue(small.failed());
            assertEquals(APPROVED, new PinFile(disk.folder(), "tools").read(), "the file is whole");
            disk.free();
            assertFalse(small.changed());
            assertFalse(small.failed());
            assertEquals(more, new PinFile(disk.folder(), "tools").read());
        }
    }

    @Test
    void nothingStartsWithAnEmptyFileAsIfItWereTheFirstTime() throws IOException {
        Files.writeString(path, "");
        assertThrows(IOException.class, new LivePins("tools", new PinFile(folder, "tools"))::open);
    }
}
