package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each class of tests has a database of its own, but roles belong to the server, which the classes in one process share. So no
 * two files make a role of the same name.
 */
class RoleNamesTest {
    private static final Pattern ROLE = Pattern.compile("CREATE (?:ROLE|USER) (\\w+)");

    @Test
    void noTwoFilesMakeARoleOfTheSameName() throws IOException {
        Map<String, Set<Path>> files = new TreeMap<>();
        List<Path> sources;
        try (Stream<Path> all = Files.walk(Path.of("src/test/java"))) {
            sources = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : sources) {
            ROLE.matcher(Files.readString(file)).results().forEach(found -> files.computeIfAbsent(
                            found.group(1), _ -> new TreeSet<>())
                    .add(file));
        }
        assertFalse(files.isEmpty(), "there are some, and they are found");
        assertEquals(
                Map.of(),
                files.entrySet().stream()
                        .filter(role -> role.getValue().size() > 1)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }
}
