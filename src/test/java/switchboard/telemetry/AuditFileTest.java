package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.ObservedFiles;

class AuditFileTest {
    @TempDir
    Path folder;

    @Test
    void aFullFileIsPutAsideAndTheOldestGoes() throws IOException {
        AuditFile file = open(6, 2);
        for (String line : List.of("aa", "bb", "cc", "dd", "ee", "ff", "gg")) {
            file.write(lines(line));
        }
        file.close();
        assertEquals("gg\n", read("audit.jsonl"));
        assertEquals("ee\nff\n", read("audit.jsonl.1"));
        assertEquals("cc\ndd\n", read("audit.jsonl.2"));
        assertFalse(Files.exists(path("audit.jsonl.3")));
    }

    @Test
    void eachOfManyKeptFilesGetsOlderByOne() throws IOException {
        AuditFile file = open(4, 4);
        for (String line : List.of("aa", "bb", "cc", "dd", "ee", "ff")) {
            file.write(lines(line));
        }
        file.close();
        assertEquals("ff\n", read("audit.jsonl"));
        assertEquals("ee\n", read("audit.jsonl.1"));
        assertEquals("dd\n", read("audit.jsonl.2"));
        assertEquals("cc\n", read("audit.jsonl.3"));
        assertEquals("bb\n", read("audit.jsonl.4"));
        assertFalse(Files.exists(path("audit.jsonl.5")));
    }

    @Test
    void withNothingToKeepItBeginsAnew() throws IOException {
        AuditFile file = open(4, 0);
        file.write(lines("aa"));
        file.write(lines("bb"));
        file.close();
        assertEquals("bb\n", read("audit.jsonl"));
        assertFalse(Files.exists(path("audit.jsonl.1")));
    }

    @Test
    void aRestartGoesOnInTheSameFile() throws IOException {
        AuditFile first = open(100, 1);
        first.write(lines("before"));
        first.close();
        AuditFile second = open(100, 1);
        second.write(lines("after", "that"));
        second.close();
        assertEquals("before\nafter\nthat\n", read("audit.jsonl"));
    }

    @Test
    void aFileThatWasMovedAwayIsBegunAnew() throws IOException {
        AuditFile file = open(100, 1);
        file.write(lines("old"));
        Files.move(path("audit.jsonl"), path("elsewhere"));
        file.write(lines("new"));
        file.close();
        assertEquals("new\n", read("audit.jsonl"));
    }

    @Test
    void whatCantBePutAsideFailsAndSucceedsLater() throws IOException {
        AuditFile file = open(4, 1);
        file.write(lines("aa"));
        Path inTheWay = Files.createDirectories(path("audit.jsonl.1").resolve("something"));
        assertThrows(IOException.class, () -> file.write(lines("bb")));
        assertThrows(IOException.class, () -> file.write(lines("bb")));
        Files.delete(inTheWay);
        file.write(lines("bb"));
        file.close();
        assertEquals("bb\n", read("audit.jsonl"));
        assertEquals("aa\n", read("audit.jsonl.1"));
    }

    @Test
    void halfAWriteIsTakenBackSoThatItsLinesCanComeAgain() throws IOException {
        ObservedFiles disk = new ObservedFiles();
        AuditFile file = new AuditFile(disk.path(path("audit.jsonl")), 100, 1);
        file.write(lines("first"));
        disk.room(9);
        assertThrows(IOException.class, () -> file.write(lines("second", "third")));
        assertEquals("first\n", read("audit.jsonl"));
        disk.room(0);
        assertThrows(IOException.class, () -> file.write(lines("second", "third")));
        disk.room(100);
        file.write(lines("second", "third"));
        file.close();
        assertEquals("first\nsecond\nthird\n", read("audit.jsonl"));
    }

    @Test
    void onlyItsOwnerReadsIt() throws IOException {
        open(4, 1).close();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path("audit.jsonl"))));
    }

    private AuditFile open(int maxBytes, int keep) throws IOException {
        return new AuditFile(path("audit.jsonl"), maxBytes, keep);
    }

    private Path path(String name) {
        return folder.resolve("trail").resolve(name);
    }

    private String read(String name) throws IOException {
        return Files.readString(path(name));
    }

    private static List<byte[]> lines(String... lines) {
        return Arrays.stream(lines)
                .map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
