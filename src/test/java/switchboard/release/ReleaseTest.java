package switchboard.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.DemoPages;
import switchboard.testing.FolderCopy;
import switchboard.testing.LongRun;

/**
 * What {@code mvn -Prelease package} makes from a copy of this tree, and that the archive runs on a machine that has a JDK
 * and nothing of Maven. The classes are those that this build has compiled.
 */
@Tag("engines")
class ReleaseTest {
    private static final Set<String> LEFT = Set.of(".git", "data", "node_modules", "bench");
    private static final String NAME = "switchboard-" + Pom.version();

    @TempDir
    static Path folder;

    private static Path release;
    private static Path home;

    record Outcome(int code, String out, String err) {}

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        Path tree = folder.resolve("tree");
        FolderCopy.of(
                Path.of(""),
                tree,
                file -> LEFT.contains(file.toString())
                        || file.startsWith("target") && file.getNameCount() == 2 && !file.endsWith("classes")
                        || file.startsWith("src/test"));
        Path log = folder.resolve("log");
        ProcessBuilder maven = new ProcessBuilder(
                        "mvn",
                        "-B",
                        "-ntp",
                        "-Prelease",
                        "package",
                        "-Dmaven.main.skip=true",
                        "-Dspotless.check.skip=true")
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = maven.start();
        assertTrue(process.waitFor(10, TimeUnit.MINUTES));
        assertEquals(0, process.exitValue(), () -> read(log));
        release = tree.resolve("target/release");
        unpack(release.resolve(NAME + ".zip"), folder.resolve("unpacked"));
        home = folder.resolve("unpacked").resolve(NAME);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** With the permissions of the files, as unzip does it. */
    private static void unpack(Path zip, Path to) throws IOException {
        URI uri = URI.create("jar:" + zip.toUri());
        try (FileSystem archive = FileSystems.newFileSystem(uri, Map.of("enablePosixFileAttributes", true));
                Stream<Path> all = Files.walk(archive.getPath("/"))) {
            for (Path entry : all.toList()) {
                Path target = to.resolve(archive.getPath("/").relativize(entry).toString());
                if (Files.isDirectory(entry)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(entry, target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(entry));
                }
            }
        }
    }

    @Test
    void theReleaseIsTwoArchivesAListOfLibrariesAndTheirChecksums() throws Exception {
        Map<String, String> sums = new TreeMap<>();
        for (String line : Files.readAllLines(release.resolve("SHA256SUMS"))) {
            sums.put(line.substring(66), line.substring(0, 64)); // 64 digits, a space, an asterisk, the name
        }
        assertEquals(Set.of(NAME + ".zip", NAME + ".tar.gz", NAME + "-sbom.json"), sums.keySet());
        for (Map.Entry<String, String> sum : sums.entrySet()) {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(release.resolve(sum.getKey())));
            assertEquals(HexFormat.of().formatHex(digest), sum.getValue(), sum.getKey());
        }
        try (Stream<Path> files = Files.list(release)) {
            assertEquals(4, files.count());
        }
    }

    @Test
    void theListOfLibrariesNamesEachOneOfTheArchive() throws IOException {
        Set<String> listed = new TreeSet<>();
        JsonNode bill = Json.parse(Files.readString(release.resolve(NAME + "-sbom.json")));
        assertEquals(Pom.version(), bill.at("/metadata/component/version").asText());
        bill.path("components")
                .forEach(library -> listed.add(library.path("name").asText() + "-"
                        + library.path("version").asText()));
        Set<String> missing = new TreeSet<>();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            jars.map(jar -> jar.getFileName().toString())
                    .filter(jar -> listed.stream().noneMatch(jar::startsWith))
                    .forEach(missing::add);
        }
        assertEquals(Set.of(), missing);
        assertEquals(bill, Json.parse(Files.readString(home.resolve("bom.json"))), "the same in the archive");
    }

    @Test
    void theArchiveHasWhatRunsAndItsDocumentation() {
        for (String wanted : List.of(
                "switchboard.jar",
                "switchboard.cmd",
                "conf/jvm.options",
                "conf/switchboard.yaml",
                "conf/teams.yaml",
                "docs/releasing.md",
                "LICENSE",
                "NOTICE",
                "README.md",
                "CHANGELOG.md")) {
            assertTrue(Files.isRegularFile(home.resolve(wanted)), wanted);
        }
        assertTrue(Files.isExecutable(home.resolve("switchboard")));
        assertFalse(Files.exists(home.resolve("pom.xml")));
    }

    /** An empty home folder has an empty repository of Maven. */
    @Test
    void theDemoRunsWithAJdkAndTheUsualSmallProgramsAlone() throws Exception {
        Path few = folder.resolve("few");
        FolderCopy.of(home, few, DemoPages::leftOut);
        Outcome demo = run(LongRun.either(few, home), "", "demo", "--exit");
        assertEquals(0, demo.code(), demo::toString);
        assertTrue(demo.out().contains("Switchboard " + Pom.version() + " on "), demo::toString);
        assertTrue(demo.out().contains("How do I connect my MCP client?\n  1. "), demo::toString);
        for (Path made : List.of(home, few)) {
            assertFalse(Files.exists(made.resolve("target")), "nothing is built");
            assertFalse(Files.exists(made.resolve("data")), "nothing is left");
        }
    }

    @Test
    void clientsAreToldTheVersion() throws Exception {
        String initialize = """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
                "clientInfo":{"name":"a client","version":"1"}}}
                """;
        Outcome answered =
                run(home, initialize, "stdio", "--data", folder.resolve("data").toString());
        JsonNode answer = Json.parse(answered.out().lines().findFirst().orElseThrow());
        assertEquals(Pom.version(), answer.at("/result/serverInfo/version").asText(), answered::toString);
    }

    private static Path program(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    /** With a path that has a JDK and a handful of programs, but neither Maven nor what a build needs. */
    private Outcome run(Path from, String input, String... arguments) throws IOException, InterruptedException {
        Path programs = folder.resolve("programs");
        if (Files.notExists(programs)) {
            Files.createDirectories(programs);
            for (String name : List.of("sh", "readlink", "dirname", "head", "find", "date", "mkdir", "rm", "touch")) {
                Files.createSymbolicLink(programs.resolve(name), program(name));
            }
            Files.createDirectories(folder.resolve("home"));
        }
        Path in = Files.writeString(Files.createTempFile(folder, "run", ".in"), input);
        Path err = Files.createTempFile(folder, "run", ".err");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(from.resolve("switchboard").toString()), Stream.of(arguments))
                                .toList())
                .redirectInput(in.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin") + ":" + programs,
                        "HOME",
                        folder.resolve("home").toString()));
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        return new Outcome(process.exitValue(), out, Files.readString(err));
    }
}
