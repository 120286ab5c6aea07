package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the launchers do before the JVM runs. The JDK is a stand-in that prints its arguments; {@code CommandLineTest} starts
 * the real one.
 */
class LauncherTest {
    private static final Path OPTIONS = Path.of("conf", "jvm.options");
    private static final Path SHELL = Path.of("switchboard");
    private static final Path WINDOWS = Path.of("switchboard.cmd");
    private static final int CODE = 42;

    @TempDir
    Path folder;

    private Path home;
    private Path jdk;

    record Outcome(int code, List<String> out, String err) {}

    @BeforeEach
    void unpack() throws IOException {
        home = folder.resolve("a place (x86)");
        Files.createDirectories(home.resolve("conf"));
        copy(SHELL, home.resolve("switchboard"));
        copy(OPTIONS, home.resolve("conf/jvm.options"));
        Files.createFile(home.resolve("switchboard.jar"));
        jdk = jdk("jdk 25", "25.0.1");
    }

    @Test
    void theJvmGetsTheFileOfOptionsThePlacesAndTheArgumentsAsTheyAre() throws Exception {
        Outcome outcome = run(Map.of(), "search", "two words", "*", "$HOME", "");
        assertEquals(CODE, outcome.code());
        assertEquals(
                List.of(
                        "@" + home.resolve("conf/jvm.options"),
                        "-Xshare:auto",
                        "-Dswitchboard.home=" + home,
                        "-Dlogback.configurationFile=" + home.resolve("conf/logback.xml"),
                        "-cp",
                        home.resolve("switchboard.jar").toString(),
                        "switchboard.Main",
                        "search",
                        "two words",
                        "*",
                        "$HOME",
                        ""),
                outcome.out());
        assertEquals("", outcome.err());
    }

    @Test
    void itIsFoundThroughSymbolicLinks() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), home.resolve("switchboard"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), link.getFileName());
        Outcome outcome = run(second, Map.of(), "version");
        assertTrue(outcome.out().contains("-Dswitchboard.home=" + home), outcome::toString);
    }

    @Test
    void theEnvironmentAddsOptionsAfterThoseOfTheFileAndAnotherCollectorTakesThePlaceOfTheUsualOne() throws Exception {
        assertEquals(
                List.of("-Xmx2g", "-Da=b"),
                added(Map.of("SWITCHBOARD_JAVA_OPTS", "-Xmx2g -Da=b")),
                "added as they are");
        assertEquals(
                List.of("-XX:-UseSerialGC", "-Xmx2g", "-XX:+UseZGC"),
                added(Map.of("SWITCHBOARD_JAVA_OPTS", "-Xmx2g -XX:+UseZGC")));
        assertEquals(List.of("-XX:+UseSerialGC"), added(Map.of("SWITCHBOARD_JAVA_OPTS", "-XX:+UseSerialGC")));
    }

    private List<String> added(Map<String, String> environment) throws Exception {
        List<String> out = run(environment, "version").out();
        return out.subList(4, out.indexOf("-cp"));
    }

    @Test
    void anOlderJdkIsNotTakenAndNoneIsSaid() throws Exception {
        Outcome found = run(Map.of("JAVA_HOME", jdk("jdk 21", "21.0.1").toString()), "--java-home");
        assertFalse(found.out().contains(folder.resolve("jdk 21").toString()), found::toString);
        Outcome early = run(Map.of("JAVA_HOME", jdk("jdk 26", "26-ea").toString()), "--java-home");
        assertEquals(List.of(folder.resolve("jdk 26").toString()), early.out());
    }

    @Test
    void theJdkOnThePathIsTakenWhereTheEnvironmentNamesNone() throws Exception {
        Path programs = folder.resolve("programs");
        Files.createDirectories(programs);
        Files.createSymbolicLink(programs.resolve("java"), jdk.resolve("bin/java"));
        Outcome found = run(Map.of("JAVA_HOME", "", "PATH", programs + ":/usr/bin:/bin"), "--java-home");
        assertEquals(new Outcome(0, List.of(jdk.toString()), ""), found);
    }

    @Test
    void aMissingFileOfOptionsIsNamed() throws Exception {
        Files.delete(home.resolve("conf/jvm.options"));
        assertEquals(
                new Outcome(
                        1,
                        List.of(),
                        "switchboard: " + home.resolve("conf/jvm.options") + " is missing" + System.lineSeparator()),
                run(Map.of(), "version"));
    }

    @Test
    void theCacheOfLoadedClassesIsMadeByADemoAndUsedOnceItIsThere() throws Exception {
        Path cache = home.resolve("switchboard.aot");
        List<String> made = run(Map.of(), "--aot-cache").out();
        assertEquals("-XX:AOTCacheOutput=" + cache, made.get(1));
        assertEquals(List.of("switchboard.Main", "demo", "--exit"), made.subList(made.size() - 3, made.size()));
        Files.createFile(cache);
        assertEquals("-XX:AOTCache=" + cache, run(Map.of(), "version").out().get(1));
    }

    @Test
    void aBuildSaysEveryFifteenSecondsHowFarItIsAndIsNotRepeated() throws Exception {
        Files.delete(home.resolve("switchboard.jar"));
        Files.createFile(home.resolve("pom.xml"));
        Files.createDirectories(home.resolve("src/main"));
        Files.createDirectories(home.resolve("src/assembly"));
        Path programs = Files.createDirectories(folder.resolve("programs"));
        // Seconds pass at once until a line has been said; the build ends when it has been.
        program(programs.resolve("sleep"), """
                echo . >>"$TICKS"
                [ "$(wc -l <"$TICKS")" -lt 17 ] || { touch "$TICKS.said"; exec /bin/sleep 60; }
                """);
        program(programs.resolve("mvn"), """
                echo "$*" >"$TICKS.mvn"
                echo '[INFO] Downloading from central: https://repo.example.org/org/example/some.jar'
                echo '[INFO] --- maven-compiler-plugin:3.14.1:compile (default-compile) @ switchboard ---'
                until [ -f "$TICKS.said" ]; do /bin/sleep 0.02; done
                mkdir -p target/switchboard
                """);
        Map<String, String> environment = Map.of(
                "PATH",
                programs + ":/usr/bin:/bin",
                "TICKS",
                folder.resolve("ticks").toString());
        Outcome built = run(environment, "version");
        assertEquals(CODE, built.code(), built::toString);
        assertTrue(built.err().contains("switchboard: building, 15 s: compiler: compile\n"), built::toString);
        assertTrue(built.err().contains("switchboard: built in "), built::toString);
        assertTrue(
                built.out()
                        .contains(home.resolve("target/switchboard/switchboard.jar")
                                .toString()),
                built::toString);
        assertTrue(
                Files.readString(folder.resolve("ticks.mvn")).startsWith("-B package "), "what is downloaded is shown");
        assertEquals("", run(environment, "version").err());
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndTheLog() throws Exception {
        Files.delete(home.resolve("switchboard.jar"));
        Path programs = Files.createDirectories(folder.resolve("programs"));
        program(programs.resolve("mvn"), "echo '[INFO] begins'; echo '[ERROR] no such library'; exit 1\n");
        Outcome failed = run(Map.of("PATH", programs + ":/usr/bin:/bin"), "version");
        assertEquals(1, failed.code());
        assertTrue(failed.err().contains("[ERROR] no such library"), failed::toString);
        assertTrue(
                failed.err().contains("the build failed; " + home.resolve("target/launcher-build.log")),
                failed::toString);
    }

    /** What a JVM that has it says of the shipped file: nothing but the one warning. */
    @Test
    void theRealJvmTakesEveryOptionOfTheFile() throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + OPTIONS, "-version")
                .redirectErrorStream(true)
                .start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(java.waitFor(1, TimeUnit.MINUTES));
        assertEquals(0, java.exitValue(), said);
        assertEquals(1, said.lines().filter(line -> line.startsWith("WARNING")).count(), said);
        assertTrue(said.startsWith("WARNING: Using incubator modules: jdk.incubator.vector\n"), said);
    }

    @Test
    void optionsAreInOneFileOneOnEachLine() throws IOException {
        List<String> options = Files.readAllLines(OPTIONS).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        assertTrue(options.size() > 5, options::toString);
        assertTrue(options.stream().allMatch(option -> option.matches("-\\S+")), options::toString);
        for (Path launcher : List.of(SHELL, WINDOWS)) {
            String text = Files.readString(launcher);
            options.stream()
                    .filter(option -> !option.equals("-XX:+UseSerialGC"))
                    .forEach(option -> assertFalse(text.contains(option), () -> launcher + ": " + option));
        }
    }

    /** The Windows launcher can't run here: it must give the JVM what the other one gives it. */
    @Test
    void bothLaunchersGiveTheJvmTheSame() throws IOException {
        assertEquals(given(SHELL), given(WINDOWS));
        assertEquals(mavenOptions(SHELL), mavenOptions(WINDOWS));
        assertTrue(mavenOptions(SHELL).size() > 3, "Maven's options are found");
        String windows = Files.readString(WINDOWS);
        for (String wanted : List.of(
                "\"@%root%\\conf\\jvm.options\"",
                "switchboard.Main %*\r\nexit /b %errorlevel%", "switchboard.Main demo --exit\r\nexit /b")) {
            assertTrue(windows.contains(wanted), wanted);
        }
    }

    @ParameterizedTest
    @CsvSource({"needs JDK", "is missing", "needs Maven (mvn) to build from source", "has no javac", "the build failed"
    })
    void bothLaunchersSayTheSameOfWhatIsMissing(String message) throws IOException {
        assertTrue(Files.readString(SHELL).contains(message), "the shell");
        assertTrue(Files.readString(WINDOWS).contains(message), "Windows");
    }

    /** Names of variables there have no case: one must not be set over another. And its lines end as it wants them. */
    @Test
    void theWindowsLauncherFollowsTheRulesOfItsInterpreter() throws IOException {
        String windows = Files.readString(WINDOWS);
        assertEquals(
                0,
                windows.replace("\r\n", "")
                        .chars()
                        .filter(c -> c == '\n' || c == '\r')
                        .count());
        Map<String, String> spelt = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (MatchResult set :
                Pattern.compile("set \"(\\w+)=").matcher(windows).results().toList()) {
            String other = spelt.putIfAbsent(set.group(1), set.group(1));
            assertTrue(other == null || other.equals(set.group(1)), set.group(1) + " and " + other);
        }
        for (MatchResult used : Pattern.compile("%(\\w+)(?::[^%\r\n]*)?%")
                .matcher(windows)
                .results()
                .toList()) {
            String set = spelt.get(used.group(1));
            assertTrue(set == null || set.equals(used.group(1)), used.group(1) + " and " + set);
        }
        TreeSet<String> labels = new TreeSet<>();
        Pattern.compile("(?m)^:(\\w+)").matcher(windows).results().forEach(label -> labels.add(label.group(1)));
        for (MatchResult jump : Pattern.compile("goto (\\w+)|call :(\\w+)")
                .matcher(windows)
                .results()
                .toList()) {
            String label = jump.group(1) == null ? jump.group(2) : jump.group(1);
            assertTrue(labels.contains(label), label);
        }
    }

    private static TreeSet<String> given(Path launcher) throws IOException {
        TreeSet<String> given = new TreeSet<>();
        Pattern.compile("-Dswitchboard\\.[a-z.]+|-Dlogback\\.[A-Za-z]+|-XX:AOTCache\\w*|-Xshare:\\w+|-XX:-UseSerialGC")
                .matcher(Files.readString(launcher))
                .results()
                .forEach(option -> given.add(option.group()));
        return given;
    }

    private static TreeSet<String> mavenOptions(Path launcher) throws IOException {
        TreeSet<String> options = new TreeSet<>();
        Pattern.compile("-D\\w[\\w.]*=true")
                .matcher(Files.readString(launcher))
                .results()
                .forEach(option -> options.add(option.group()));
        return options;
    }

    private Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        return run(home.resolve("switchboard"), environment, arguments);
    }

    /** Without a home folder, as a service has none. */
    private Outcome run(Path launcher, Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        Path err = Files.createTempFile(folder, "run", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        List<String> out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        return new Outcome(process.exitValue(), out, Files.readString(err));
    }

    private Path jdk(String name, String version) throws IOException {
        Path place = folder.resolve(name);
        Files.createDirectories(place.resolve("bin"));
        program(place.resolve("bin/java"), "printf '%s\\n' \"$@\"\nexit " + CODE + "\n");
        program(place.resolve("bin/javac"), "exit 1\n");
        Files.writeString(place.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return place;
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        assertTrue(file.toFile().setExecutable(true));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
