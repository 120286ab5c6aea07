package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.config.ConfigLoader;
import switchboard.config.Overrides;

/** The examples in the pages of the backend types are configurations that a gateway accepts. */
class BackendReadmesTest {
    private static final Pattern YAML = Pattern.compile("(?m)^```yaml\\R(.*?)^```$", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");

    static List<Path> pages() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("backends"))) {
            return folders.map(folder -> folder.resolve("README.md"))
                    .filter(page -> text(page).contains("```yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A block that begins with {@code backends:} is an example of its own, another one belongs to the one before. */
    private static List<String> examples(List<String> blocks) {
        List<String> examples = new ArrayList<>();
        for (String block : blocks) {
            examples.add(examples.isEmpty() || block.startsWith("backends:") ? block : examples.removeLast() + block);
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyExampleIsAConfiguration(Path page) {
        String text = text(page);
        List<String> blocks =
                YAML.matcher(text).results().map(block -> block.group(1)).toList();
        assertEquals(text.split("```yaml", -1).length - 1, blocks.size(), "blocks with a begin and an end");
        Map<String, String> environment = VARIABLE.matcher(text)
                .results()
                .collect(Collectors.toMap(variable -> variable.group(1), _ -> "secret", (first, _) -> first));
        ConfigLoader loader = new ConfigLoader(BackendTypes.shipped().settings(), environment);
        examples(blocks).forEach(example -> loader.parse(example, page.toString(), Path.of("."), Overrides.NONE));
    }
}
