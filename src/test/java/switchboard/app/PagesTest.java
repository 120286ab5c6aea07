package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.FailureKind;

/** What pages say of the code is true of it. */
class PagesTest {
    private static final Path SOURCES = Path.of("src/main/java/switchboard");
    private static final String ARCHITECTURE = read(Path.of("docs/architecture.md"));
    private static final String ERRORS = read(Path.of("docs/errors.md"));

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void theTypesInThePicturesExist() throws IOException {
        Set<String> types = sources(SOURCES).stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        Set<String> drawn =
                found(Pattern.compile("(?:--> ?|\\| ?|^  )([A-Z][A-Za-z]+)", Pattern.MULTILINE), ARCHITECTURE);
        drawn.addAll(
                found(Pattern.compile("`(?:[a-z]+\\.)*([A-Z][a-z]+[A-Z][A-Za-z]+)(?:\\.[a-z]\\w*)?`"), ARCHITECTURE));
        assertTrue(drawn.size() > 20, drawn::toString);
        drawn.removeAll(types);
        drawn.removeAll(Set.of("ArchitectureTest", "SizesTest"));
        assertEquals(Set.of(), drawn, "named on the page, and nowhere in the code");
    }

    @Test
    void everyPackageIsNamed() throws IOException {
        List<String> missing = new ArrayList<>();
        try (Stream<Path> folders = Files.list(SOURCES)) {
            folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !Pattern.compile("[\"`]" + name + "\\b")
                            .matcher(ARCHITECTURE)
                            .find())
                    .forEach(missing::add);
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void thePageOfErrorsHasEveryKind() {
        List<String> missing = Stream.of(FailureKind.values())
                .map(FailureKind::name)
                .filter(kind -> !ERRORS.contains("| `" + kind + "` |"))
                .toList();
        assertEquals(List.of(), missing);
    }
}
