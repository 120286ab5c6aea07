package switchboard.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.DemoPages;
import switchboard.testing.FolderCopy;

/**
 * The steps of the {@code Dockerfile}, done in folders of this machine instead of images: each stage has a folder as its
 * root, what is copied is copied, and what is run is run by a shell here, with absolute paths below that root.
 */
@Tag("engines")
class DockerfileTest {
    /** Paths of the images that the steps name. */
    private static final String IN_IMAGE = "(?<![\\w.])/(src|opt|data)(?=[/\\s\"]|$)";

    private static final String VECTOR_WARNING = "WARNING: Using incubator modules: jdk.incubator.vector\n";

    @TempDir
    Path folder;

    private final Map<String, Path> stages = new TreeMap<>();
    private Path context;
    private Path root;
    private String workdir = "/";
    private String entrypoint = "";

    @Test
    void everyStepWorksAndTheResultStarts() throws Exception {
        context = folder.resolve("context");
        List<String> ignored = Files.readAllLines(Path.of(".dockerignore"));
        // The run that makes the cache of classes reads all pages.
        FolderCopy.of(
                Path.of(""), context, file -> ignored.stream().anyMatch(file::startsWith) || DemoPages.leftOut(file));
        assertFalse(Files.exists(context.resolve("src/test")), "the tests are left out");
        // Who owns a folder is root's to say, and this may not run as root.
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Files.writeString(programs.resolve("chown"), "#!/bin/sh\necho \"$@\" >>" + folder.resolve("chown") + "\n");
        assertTrue(programs.resolve("chown").toFile().setExecutable(true));

        List<Dockerfile.Instruction> instructions =
                Dockerfile.read(Path.of("Dockerfile")).instructions();
        for (Dockerfile.Instruction instruction : instructions) {
            apply(instruction);
        }

        assertEquals(
                List.of("10001:10001 " + root.resolve("data")),
                Files.readAllLines(folder.resolve("chown")),
                "the volume belongs to the user");
        Path home = root.resolve("opt/switchboard");
        assertTrue(Files.exists(home.resolve("switchboard.aot")), "the cache of classes");
        assertTrue(Files.exists(home.resolve("lib")), "the libraries");
        assertEquals("[\"/opt/switchboard/switchboard\"]", entrypoint);
        // With this mode the JVM does not start without the cache.
        starts("-XX:AOTMode=on");
        // A JVM that is started otherwise does without it.
        starts("-XX:+UseParallelGC -XX:-UseCompactObjectHeaders");
    }

    /** That it starts with these options of the JVM, which complains about nothing. */
    private void starts(String options) throws IOException, InterruptedException {
        String said = run(
                "SWITCHBOARD_JAVA_OPTS='" + options + "' " + root.resolve("opt/switchboard/switchboard") + " version");
        assertTrue(said.startsWith(VECTOR_WARNING + "switchboard " + Pom.version() + "\n"), said);
    }

    private void apply(Dockerfile.Instruction instruction) throws Exception {
        String argument = instruction.argument();
        switch (instruction.name()) {
            case "FROM" -> {
                String[] words = argument.split(" ");
                String name = words.length == 3 ? words[2] : "last";
                root = Files.createDirectories(folder.resolve("stage-" + name));
                stages.put(name, root);
                workdir = "/";
            }
            case "WORKDIR" -> {
                workdir = argument;
                Files.createDirectories(here());
            }
            case "COPY" -> copy(argument);
            case "RUN" -> run(argument.replaceAll(IN_IMAGE, root + "/$1"));
            case "ENTRYPOINT" -> entrypoint = argument;
            case "ARG", "LABEL", "USER", "ENV", "EXPOSE", "VOLUME", "CMD" -> {}
            default -> throw new AssertionError("unknown to this test: " + instruction);
        }
    }

    private Path here() {
        return root.resolve(workdir.substring(1));
    }

    private void copy(String argument) throws IOException {
        List<String> words = new ArrayList<>(Arrays.asList(argument.split(" ")));
        Path from = context;
        if (words.getFirst().startsWith("--from=")) {
            from = stages.get(words.removeFirst().substring("--from=".length()));
        }
        String target = words.removeLast();
        Path to = target.startsWith("/") ? root.resolve(target.substring(1)) : here().resolve(target);
        for (String word : words) {
            Path source = from.resolve(word.startsWith("/") ? word.substring(1) : word);
            assertTrue(Files.exists(source), () -> "there is nothing to copy at " + source);
            // A folder is copied as what is in it, a file into a folder under its name.
            boolean into = target.endsWith("/") && Files.isRegularFile(source);
            FolderCopy.of(source, into ? to.resolve(source.getFileName()) : to);
        }
    }

    private String run(String command) throws IOException, InterruptedException {
        Files.createDirectories(here());
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command)
                .directory(here().toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("PATH", folder.resolve("programs") + ":" + environment.get("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        assertEquals(0, process.exitValue(), () -> command + "\n" + said);
        return said;
    }
}
