package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links, commands, benchmarks and tests that the documentation names are there. */
class DocumentationTest {
    private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git", "data", "audit");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(#[^)\\s]+)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");
    private static final Pattern COMMAND = Pattern.compile("\\./switchboard ([a-z][a-z-]*)");
    private static final Pattern BENCHMARK = Pattern.compile("bench/run ([A-Z][a-z]\\w*)");
    private static final Pattern TEST_CLASS = Pattern.compile("`(?:\\w+\\.)*([A-Z]\\w+Test)(?:#(\\w+))?`");

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(Path.of("src", "test", "resources", "passages")))
                    .filter(file -> Stream.of(file.toString().split("/", -1)).noneMatch(NOT_OURS::contains))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void thereArePages() throws IOException {
        assertTrue(pages().size() > 30, () -> "pages are found");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) throws IOException {
        Set<String> broken = new TreeSet<>();
        for (MatchResult link : found(LINK, page)) {
            String target = link.group(1);
            if (target.contains(":")) {
                continue; // another site
            }
            Path file = target.isEmpty()
                    ? page
                    : page.toAbsolutePath().getParent().resolve(target).normalize();
            if (!Files.exists(file)) {
                broken.add(target);
            } else if (link.group(2) != null
                    && !anchors(file).contains(link.group(2).substring(1))) {
                broken.add(target + link.group(2));
            }
        }
        assertEquals(Set.of(), broken);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandAndBenchmarkAndTestThatIsNamedExists(Path page) throws IOException {
        Set<String> commands = Main.commandLine().getSubcommands().keySet();
        Set<String> missing = new TreeSet<>();
        found(COMMAND, page).stream()
                .map(match -> match.group(1))
                .filter(name -> !commands.contains(name))
                .forEach(missing::add);
        found(BENCHMARK, page).stream()
                .map(match -> match.group(1))
                .filter(name -> !Files.exists(Path.of("bench/java/switchboard/bench", name + ".java")))
                .forEach(missing::add);
        for (MatchResult test : found(TEST_CLASS, page)) {
            Set<Path> sources = sources(test.group(1));
            if (sources.isEmpty() || (test.group(2) != null && !declared(sources, test.group(2)))) {
                missing.add(test.group());
            }
        }
        assertEquals(Set.of(), missing);
    }

    private static List<MatchResult> found(Pattern pattern, Path page) throws IOException {
        return pattern.matcher(Files.readString(page)).results().toList();
    }

    /** Names of headings as web pages of repositories have them. */
    private static Set<String> anchors(Path page) throws IOException {
        return found(HEADING, page).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static Set<Path> sources(String test) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            return files.filter(file -> file.endsWith(test + ".java")).collect(Collectors.toSet());
        }
    }

    private static boolean declared(Set<Path> sources, String method) throws IOException {
        for (Path source : sources) {
            if (Files.readString(source).contains(" " + method + "(")) {
                return true;
            }
        }
        return false;
    }
}
