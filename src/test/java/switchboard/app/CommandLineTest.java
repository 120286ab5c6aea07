package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.DemoPages;
import switchboard.testing.Eventually;
import switchboard.testing.FolderCopy;

/** The launcher and the commands as a person runs them, from a copy of the source tree that is built on first use. */
@Tag("engines")
class CommandLineTest {
    private static final List<String> SOURCES = List.of(
            "pom.xml",
            "switchboard",
            "switchboard.cmd",
            "README.md",
            "CHANGELOG.md",
            "LICENSE",
            "NOTICE",
            ".mvn",
            "src",
            "conf",
            "backends");

    @TempDir
    static Path tree;

    @TempDir
    Path folder;

    record Outcome(int code, String out, String err) {}

    @BeforeAll
    static void copy() throws IOException {
        for (String name : SOURCES) {
            FolderCopy.of(Path.of(name), tree.resolve(name), Path.of("test")::equals);
        }
        FolderCopy.of(
                Path.of("docs"),
                tree.resolve("docs"),
                page -> DemoPages.leftOut(Path.of("docs").resolve(page)));
        // The launcher's build takes the classes as this one has compiled them; DockerfileTest compiles with its
        // options.
        FolderCopy.of(Path.of("target/classes"), tree.resolve("target/classes"));
        Files.writeString(tree.resolve(".mvn/maven.config"), "-Dmaven.main.skip=true\n");
    }

    @Test
    void theDemoBuildsAnswersBothQuestionsFromRealDocumentsAndLeavesNothingBehind() throws Exception {
        Outcome demo = run("demo", "--exit");
        assertEquals(0, demo.code(), demo::toString);
        assertTrue(demo.out().contains("How do I connect my MCP client?\n  1. "), demo::toString);
        assertTrue(demo.out().contains("What happens to calls when a backend is down?\n  1. "), demo::toString);
        assertTrue(demo.out().contains("docs/"), demo::toString);
        assertFalse(demo.err().contains("WARN "), demo::toString);
        assertFalse(Files.exists(tree.resolve("data")));
    }

    @Test
    void everyProblemOfAConfigurationIsListedWithItsLineAndTheCodeIsTwo() throws Exception {
        Path file = Files.writeString(folder.resolve("bad.yaml"), "server: {port: x}\nbackend: {}\n");
        Outcome check = run("check-config", "--config", file.toString());
        assertEquals(2, check.code(), check::toString);
        assertTrue(check.err().contains("bad.yaml:1: server.port \"x\""), check::toString);
        assertTrue(check.err().contains("bad.yaml:2: unknown key \"backend\""), check::toString);
    }

    @Test
    void ingestAndSearchUseTheGatewayThatServesTheFolderAndWorkWithoutOne() throws Exception {
        Path note = Files.writeString(folder.resolve("note.md"), "# Zebras\n\nZebras have stripes.\n");
        String data = folder.resolve("data").toString();
        Outcome ingest = run("ingest", note.toString(), "--data", data);
        assertEquals(0, ingest.code(), ingest::toString);
        assertTrue(ingest.out().contains("1 indexed, 0 failed"), ingest::toString);

        Process gateway =
                start("serve", "--port", "0", "--management-port", "0", "--console-port", "0", "--data", data);
        try {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> Files.exists(Path.of(data, "gateway.json")),
                    () -> "the gateway serves");
            Outcome search = run("search", "stripes", "--data", data);
            assertEquals(0, search.code(), search::toString);
            assertTrue(search.out().contains("note.md"), search::toString);
        } finally {
            gateway.destroy();
            assertTrue(gateway.waitFor(60, TimeUnit.SECONDS));
        }
        assertEquals(0, gateway.exitValue());
        assertFalse(Files.exists(Path.of(data, "gateway.json")));
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        return run(builder(arguments));
    }

    private Outcome run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path err = Files.createTempFile(folder, "run", ".err");
        Process process = builder.redirectError(err.toFile()).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(10, TimeUnit.MINUTES));
        return new Outcome(process.exitValue(), out, Files.readString(err));
    }

    private Process start(String... arguments) throws IOException {
        return builder(arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static ProcessBuilder builder(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(tree.resolve("switchboard").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }
}
