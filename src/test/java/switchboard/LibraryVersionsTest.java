package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/**
 * No two versions of one family of libraries are in the distribution: modules of different versions are not tested
 * together by those who publish them. A family is what has one group id in the bill of materials, which
 * {@code -Pengines} writes before the tests.
 */
@Tag("engines")
class LibraryVersionsTest {
    private static final Path BILL = Path.of("target", "bom.json");

    /** Groups whose libraries are published one by one, each with versions of its own. */
    private static final Set<String> PUBLISHED_ONE_BY_ONE =
            Set.of("org.apache.commons", "io.github.bonede", "org.mvnpm");

    /** Libraries that have versions of their own although they share the group of a family. */
    private static final Set<String> OWN_VERSION =
            Set.of("org.apache.pdfbox:jempbox", "org.apache.pdfbox:jbig2-imageio");

    @Test
    void everyFamilyHasOneVersion() throws IOException {
        Map<String, Set<String>> versions = new TreeMap<>();
        for (JsonNode library : Json.parse(Files.readString(BILL)).path("components")) {
            String group = library.path("group").asText();
            if (!PUBLISHED_ONE_BY_ONE.contains(group)
                    && !OWN_VERSION.contains(group + ":" + library.path("name").asText())) {
                versions.computeIfAbsent(group, _ -> new TreeSet<>()).add(version(library));
            }
        }
        assertTrue(versions.size() > 30, versions::toString);
        List<String> mixed = versions.entrySet().stream()
                .filter(family -> family.getValue().size() > 1)
                .map(Map.Entry::toString)
                .toList();
        assertEquals(List.of(), mixed);
    }

    /** Jackson publishes its annotations once for each minor version. */
    private static String version(JsonNode library) {
        String version = library.path("version").asText();
        return library.path("group").asText().startsWith("com.fasterxml.jackson")
                ? String.join(".", List.of(version.split("\\.")).subList(0, 2))
                : version;
    }
}
