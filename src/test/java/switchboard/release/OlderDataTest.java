package switchboard.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.app.BootException;
import switchboard.call.Json;
import switchboard.testing.FolderCopy;
import switchboard.testing.LetterModel;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * The data folder that version 1.0.0 wrote, kept in {@code src/test/resources}, is opened by this version. Each test has a
 * copy. {@link #theToolsOfThisVersionWriteTheSameLayout} made it; a release with another layout gets a folder of its own beside this one.
 */
class OlderDataTest {
    private static final Path KEPT = Path.of("src", "test", "resources", "data-1.0.0");
    private static final String WITH_VECTORS = "birds";
    private static final String WITHOUT_VECTORS = "plain";

    @TempDir
    Path folder;

    private final LetterModel model = new LetterModel();
    private Path data;

    @BeforeEach
    void copy() throws IOException {
        data = folder.resolve("data");
        FolderCopy.of(KEPT, data);
    }

    @AfterEach
    void stop() {
        model.close();
    }

    private TestGateway gateway(Path dataFolder) {
        return TestGateway.start("""
                embedders:
                  default: %s
                  "off": {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: vectordb, embedders: {%s: "off"}}
                  notes: {type: agentroot, dataDir: notes, roots: ["%s"]}
                  keywords: {type: agentroot, dataDir: keywords, embedder: "off", roots: ["%s"]}
                """.formatted(model.yaml(), WITHOUT_VECTORS, folder, folder), dataFolder);
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_VECTORS, WITHOUT_VECTORS})
    void documentsOfVectordbAreFoundListedReadAndReplaced(String library) {
        try (TestGateway gateway = gateway(data)) {
            McpTestClient client = gateway.modern();
            JsonNode found = ok(client, "vectordb__search", Map.of("query", "stork chimney", "library", library));
            assertEquals(
                    library.equals(WITH_VECTORS) ? "hybrid" : "keyword",
                    found.path("mode").asText());
            assertEquals("storks", found.at("/results/0/source").asText());

            JsonNode listed = ok(client, "list_documents", Map.of("library", library));
            assertEquals(Set.of("storks", "herons"), values(listed.path("documents"), "source"));
            JsonNode read = ok(
                    client,
                    "get_document",
                    Map.of("doc_id", found.at("/results/0/doc_id").asText()));
            assertTrue(read.toString().contains("nests on chimneys"), read::toString);

            Map<String, Object> storks = document(library, "storks", "# Storks\n\nA stork eats frogs and newts.");
            assertEquals(
                    "replaced", ok(client, "ingest_text", storks).path("status").asText());
            Map<String, Object> owls = document(library, "owls", "# Owls\n\nAn owl hunts at night.");
            assertEquals(
                    "indexed", ok(client, "ingest_text", owls).path("status").asText());
            JsonNode added = ok(client, "vectordb__search", Map.of("query", "newts", "library", library));
            assertEquals("storks", added.at("/results/0/source").asText());
        }
    }

    /** What has vectors, and the same text, is not written again. */
    @Test
    void unchangedDocumentsAreTakenForUnchanged() throws IOException {
        try (TestGateway gateway = gateway(data)) {
            for (String library : List.of(WITH_VECTORS, WITHOUT_VECTORS)) {
                ToolResult again = gateway.modern().call("ingest_text", arguments(document(library, "herons", HERONS)));
                assertEquals("skipped", again.structured().path("status").asText(), again::toString);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes", "keywords"})
    void collectionsOfAgentrootAreSearchedReadAndAddedTo(String backend) throws IOException {
        Path more = Files.createDirectory(folder.resolve("more"));
        Files.writeString(more.resolve("badger.md"), "# Badgers\n\nA badger digs a sett.\n");
        try (TestGateway gateway = gateway(data)) {
            McpTestClient client = gateway.modern(backend);
            JsonNode found = ok(client, "search", Map.of("query", "otter"));
            assertTrue(found.toString().contains("otters.md"), found::toString);
            JsonNode read = ok(client, "get", Map.of("file", "animals/otters.md"));
            assertTrue(read.toString().contains("An otter swims"), read::toString);
            JsonNode facts = ok(client, "metadata_get", Map.of("docid", "animals/otters.md"));
            assertTrue(facts.toString().contains("Alice"), facts::toString);
            JsonNode memory = ok(client, "memory_search", Map.of("query", "rivers"));
            assertTrue(memory.toString().contains("rivers are full in spring"), memory::toString);
            JsonNode status = ok(client, "status", Map.of());
            assertTrue(status.toString().contains("animals"), status::toString);

            ok(
                    client,
                    "collection_add",
                    Map.of("name", "more", "path", more.toRealPath().toString()));
            ok(client, "collection_update", Map.of("name", "more"));
            JsonNode added = ok(client, "search", Map.of("query", "badger"));
            assertTrue(added.toString().contains("badger.md"), added::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vectordb", "notes"})
    void aFolderOfANewerLayoutIsRefusedAndLeftAlone(String store) throws IOException {
        Path format = data.resolve(store).resolve("format");
        assertEquals("1\n", Files.readString(format), "what this version writes");
        Files.writeString(format, "2\n");
        Set<String> before = files(data.resolve(store));
        BootException refused =
                assertThrows(BootException.class, () -> gateway(data).close());
        String said = String.join("\n", refused.problems());
        assertTrue(said.contains("has format 2; this version reads format 1"), said);
        assertTrue(said.contains("Use the version that wrote it, or restore a backup."), said);
        before.add("lock");
        Set<String> after = files(data.resolve(store));
        after.add("lock");
        assertEquals(before, after, "nothing else is written");
        assertEquals("2\n", Files.readString(format));
    }

    private static final String STORKS = "# Storks\n\nA stork nests on chimneys. It clatters with its bill.\n";
    private static final String HERONS = "# Herons\n\nA heron stands in shallow water and waits for fish.\n";

    /** With {@code -Dfixture.write=true} this writes the folder that the other tests copy. */
    @Test
    void theToolsOfThisVersionWriteTheSameLayout() throws IOException {
        Path written = folder.resolve("written");
        Path animals = Files.createDirectory(folder.resolve("animals"));
        Files.writeString(animals.resolve("otters.md"), "# Otters\n\nAn otter swims in rivers and eats fish.\n");
        Files.writeString(animals.resolve("den.py"), "def den(animal):\n    return animal.home\n");
        try (TestGateway gateway = gateway(written)) {
            for (String library : List.of(WITH_VECTORS, WITHOUT_VECTORS)) {
                McpTestClient client = gateway.modern();
                ok(client, "ingest_text", document(library, "storks", STORKS));
                ok(client, "ingest_text", document(library, "herons", HERONS));
            }
            for (String backend : List.of("notes", "keywords")) {
                McpTestClient client = gateway.modern(backend);
                ok(
                        client,
                        "collection_add",
                        Map.of("name", "animals", "path", animals.toRealPath().toString(), "pattern", "**/*"));
                ok(client, "collection_update", Map.of("name", "animals"));
                ok(client, "metadata_add", Map.of("docid", "animals/otters.md", "metadata", Map.of("author", "Alice")));
                ok(client, "memory_store", Map.of("content", "The rivers are full in spring.", "category", "fact"));
            }
        }
        for (String store : List.of("vectordb", "notes", "keywords")) {
            if (Boolean.getBoolean("fixture.write")) {
                FolderCopy.of(
                        written.resolve(store),
                        KEPT.resolve(store),
                        file -> file.endsWith("lock") || file.endsWith("write.lock"));
            }
            assertEquals(layout(KEPT.resolve(store)), layout(written.resolve(store)));
        }
    }

    private static Map<String, Object> document(String library, String source, String text) {
        return Map.of("library", library, "source", source, "content", text);
    }

    private static JsonNode ok(McpTestClient client, String tool, Map<String, Object> arguments) {
        ToolResult result = client.call(tool, arguments(arguments));
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static String arguments(Map<String, Object> arguments) {
        return Json.text(Json.mapper().valueToTree(arguments));
    }

    private static Set<String> values(JsonNode list, String key) {
        Set<String> values = new TreeSet<>();
        list.forEach(one -> values.add(one.path(key).asText()));
        return values;
    }

    /** The files that are not the index's own, which has them renamed with each commit. */
    private static Set<String> layout(Path store) throws IOException {
        return files(store).stream()
                .filter(file -> !file.contains("index/") && !file.equals("lock"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            Set<String> names = new TreeSet<>();
            all.filter(Files::isRegularFile)
                    .forEach(file -> names.add(root.relativize(file).toString()));
            return names;
        }
    }
}
