package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.Eventually;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.TestGateway;

/** What is kept on disk is its owner's alone, whatever the umask of the process was. */
@DisabledOnOs(OS.WINDOWS)
class PrivateDataTest {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    @TempDir
    Path disk;

    @ParameterizedTest
    @ValueSource(strings = {"000", "077"})
    void nobodyElseMayReadIt(String umask) throws Exception {
        Path data = disk.resolve("new/data");
        Path backup = disk.resolve("backups/one");
        Path config = Files.writeString(disk.resolve("switchboard.yaml"), """
                audit: {to: file}
                embedders: {default: {provider: none}}
                backends:
                  store: {type: vectordb, dataDir: store}
                  docs: {type: agentroot, dataDir: docs}
                """);
        Path note = Files.writeString(disk.resolve("note.md"), "# Heron\n\nA bird of quiet water.");
        run(umask, "ingest", "--backend", "store", "--config", config, "--data", data, note);
        assertPrivate(data, 5);
        Path out = disk.resolve("out");
        Process serving = start(
                umask,
                out,
                "serve",
                "--config",
                config,
                "--data",
                data,
                "--port",
                "0",
                "--management-port",
                "0",
                "--console-port",
                "0");
        try {
            Eventually.within(
                    Duration.ofMinutes(5),
                    () -> !serving.isAlive() || text(out).contains("serves MCP"),
                    () -> text(out));
            assertTrue(Files.exists(data.resolve("store/owner")), text(out));
            assertPrivate(data, 10);
        } finally {
            serving.destroy();
            assertTrue(serving.waitFor(5, TimeUnit.MINUTES));
        }
        assertPrivate(data, 8);
        run(umask, "backup", "--config", config, "--data", data, backup);
        assertPrivate(backup, 5);
    }

    private void run(String umask, Object... arguments) throws Exception {
        Path out = Files.createTempFile(disk, "out", ".txt");
        Process process = start(umask, out, arguments);
        assertTrue(process.waitFor(5, TimeUnit.MINUTES), text(out));
        assertEquals(0, process.exitValue(), text(out));
    }

    private Process start(String umask, Path out, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + " && exec \"$@\"", "sh"));
        command.addAll(SwitchboardProcess.command(
                Stream.of(arguments).map(Object::toString).toArray(String[]::new)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }

    private static void assertPrivate(Path folder, int atLeast) throws IOException {
        TreeSet<String> open = new TreeSet<>();
        int seen = 0;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.toList()) {
                seen++;
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(one, LinkOption.NOFOLLOW_LINKS);
                if (!OWNERS.containsAll(permissions)) {
                    open.add(folder.relativize(one) + " " + PosixFilePermissions.toString(permissions));
                }
            }
        }
        assertEquals(Set.of(), open);
        assertTrue(seen >= atLeast, "only " + seen);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatCannotBeWrittenToIsNamedAndNotTheAuditLog() {
        // Where nobody makes files, root neither.
        Path data = Path.of("/sys/kernel");
        BootException refused = assertThrows(BootException.class, () -> TestGateway.start("""
                audit: {to: file}
                embedders: {default: {provider: none}}
                backends: {store: {type: vectordb, dataDir: store}}
                """, data));
        assertTrue(refused.getMessage().contains("can't write to the data folder " + data), refused.getMessage());
        assertFalse(refused.getMessage().contains("audit"), refused.getMessage());
        assertEquals(BootException.Stage.ENVIRONMENT, refused.stage());
    }
}
