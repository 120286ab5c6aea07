package switchboard.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** The version stands in {@code pom.xml}; what else names it says the same. */
class ReleaseFilesTest {
    private static final Path CHANGELOG = Path.of("CHANGELOG.md");
    private static final Set<String> SECTIONS =
            Set.of("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security");

    private final Element pom = Pom.read();
    private final String version = Pom.version();

    @Test
    void thePomDescribesTheProjectAndNamesNoServers() {
        assertTrue(version.matches("\\d+\\.\\d+\\.\\d+"), version);
        for (String wanted :
                List.of("name", "description", "inceptionYear", "organization", "developers", "licenses")) {
            assertFalse(Pom.text(pom, wanted).isBlank(), wanted);
        }
        for (String unwanted : List.of("scm", "repositories", "pluginRepositories", "distributionManagement")) {
            assertTrue(Pom.child(pom, unwanted).isEmpty(), unwanted);
        }
    }

    @Test
    void theChangelogBeginsWithWhatIsUnreleasedAndThenThisVersion() throws IOException {
        List<String> releases = headings("## ");
        assertEquals("[Unreleased]", releases.getFirst());
        String date = releases.get(1).replace("[" + version + "] - ", "");
        assertTrue(LocalDate.parse(date).getYear() >= 2026, releases::toString);
        assertEquals(releases.size(), new TreeSet<>(releases).size(), "each release once");
        assertEquals(Set.of(), without(SECTIONS, headings("### ")));
        long lines = Files.readString(CHANGELOG).lines().count();
        assertTrue(lines < 60 + 90 * releases.size(), () -> "for users, in short: " + lines + " lines");
    }

    private static List<String> headings(String level) throws IOException {
        return Files.readAllLines(CHANGELOG).stream()
                .filter(line -> line.startsWith(level))
                .map(line -> line.substring(level.length()))
                .toList();
    }

    private static Set<String> without(Set<String> known, List<String> all) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(known);
        return rest;
    }

    @Test
    void kubernetesRunsThisVersionOfTheImage() throws IOException {
        String deployment = Files.readString(Path.of("k8s/base/deployment.yaml"));
        assertTrue(deployment.contains("image: switchboard:" + version + "\n"), deployment);
        assertEquals(deployment.indexOf("image:"), deployment.lastIndexOf("image:"), "one image");
    }

    @Test
    void theChartIsOfThisVersion() throws IOException {
        String chart = Files.readString(Path.of("k8s/chart/Chart.yaml"));
        assertTrue(chart.contains("\nversion: " + version + "\nappVersion: \"" + version + "\"\n"), chart);
    }

    @Test
    void theImageSaysItsVersionAndIsMadeFromImagesOfOne() throws IOException {
        Dockerfile file = Dockerfile.read(Path.of("Dockerfile"));
        assertTrue(file.arguments("LABEL")
                .anyMatch(label -> label.contains("org.opencontainers.image.version=\"" + version + "\"")));
        List<String> bases =
                file.arguments("ARG").map(argument -> argument.split("=", 2)[1]).toList();
        assertEquals(2, bases.size());
        assertTrue(bases.stream().allMatch(base -> base.matches("[a-z/-]+:\\d+\\.\\d+\\.\\d+\\S*")), bases::toString);
    }

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> files = Stream.of(
                        Path.of("docs"), Path.of("k8s"), Path.of("README.md"), Path.of("Dockerfile"))
                .flatMap(ReleaseFilesTest::files)) {
            return files.filter(file -> file.toString().matches(".*(\\.md|\\.ya?ml|Dockerfile)")).toList().stream();
        }
    }

    private static Stream<Path> files(Path root) {
        try {
            return Files.walk(root).filter(Files::isRegularFile);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pagesNameThisVersionAndNeverTheLatest(Path page) throws IOException {
        Pattern named = Pattern.compile("\\bswitchboard[-:](\\d+\\.\\d+\\.\\d+|latest)");
        List<String> others = named.matcher(Files.readString(page))
                .results()
                .map(MatchResult::group)
                .filter(name -> !name.substring("switchboard-".length()).equals(version))
                .toList();
        assertEquals(List.of(), others);
    }

    @Test
    void theServiceUnitIsWellFormed() throws IOException {
        TreeMap<String, TreeMap<String, String>> unit = ServiceUnit.read();
        assertEquals(Set.of("Unit", "Service", "Install"), unit.keySet());
        TreeMap<String, String> service = unit.get("Service");
        assertTrue(
                service.get("ExecStart").startsWith("/opt/switchboard/switchboard serve --config /etc/switchboard/"),
                "absolute, as systemd wants it");
        assertEquals("exec", service.get("Type"));
        assertEquals(
                "2", service.get("RestartPreventExitStatus"), "a configuration that can't be used is not tried again");
        assertEquals("", service.get("CapabilityBoundingSet"));
        assertEquals("strict", service.get("ProtectSystem"));
        assertEquals("no", service.get("MemoryDenyWriteExecute"), "the JVM could not start");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NoNewPrivileges",
                "ProtectHome",
                "PrivateTmp",
                "PrivateDevices",
                "ProtectClock",
                "ProtectHostname",
                "ProtectKernelLogs",
                "ProtectKernelModules",
                "ProtectKernelTunables",
                "ProtectControlGroups",
                "RestrictNamespaces",
                "RestrictRealtime",
                "RestrictSUIDSGID",
                "LockPersonality",
                "RemoveIPC"
            })
    void theServiceHasNoRightsThatItDoesNotNeed(String protection) throws IOException {
        assertEquals("yes", ServiceUnit.read().get("Service").get(protection));
    }
}
