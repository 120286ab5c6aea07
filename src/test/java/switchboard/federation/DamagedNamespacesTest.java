package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** One library and one collection with damaged files among sound ones: every search says what it could not look at. */
class DamagedNamespacesTest {
    @TempDir
    Path folder;

    @AsksForErrors("NamespaceIndex - The namespace torn can't be read")
    @Test
    void aSearchOverSeveralNamesWhatItLeftOut() throws IOException {
        Path data = folder.resolve("data");
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.writeString(notes.resolve("zebra.md"), "# Zebras\n\nZebras have stripes.\n");
        String yaml = """
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ['%s']}
                """.formatted(notes.toRealPath());
        try (TestGateway gateway = TestGateway.start(yaml, data)) {
            McpTestClient client = gateway.modern();
            for (String name : List.of("sound", "torn")) {
                ok(client.call(
                        "ingest_text",
                        Json.object()
                                .put("content", "Zebras have stripes.")
                                .put("source", name)
                                .put("library", name)));
                ok(client.call(
                        "collection_add",
                        Json.object()
                                .put("name", name)
                                .put("path", notes.toRealPath().toString())));
                ok(client.call("collection_update", Json.object().put("name", name)));
            }
        }
        assertTrue(tear(data.resolve("data"), "torn") >= 2, "files of a library and of a collection");

        try (TestGateway gateway = TestGateway.start(yaml, data)) {
            McpTestClient client = gateway.modern();
            String query = "{\"query\": \"stripes\"}";
            ToolResult library = ok(client.call("vectordb__search", query));
            assertEquals(1, library.structured().path("results").size(), library::toString);
            assertTrue(library.structured().path("reason").asText().contains("damaged: torn"), library::toString);
            for (String tool : List.of("agentroot__search", "vsearch", "agentroot__query")) {
                ToolResult collection = ok(client.call(tool, query));
                assertEquals(1, collection.structured().path("count").asInt(), collection::toString);
                assertTrue(
                        collection.structured().path("reason").asText().contains("torn"),
                        () -> tool + ": " + collection);
            }
            Map<String, String> outcomes = new TreeMap<>();
            ok(client.call("search_everywhere", query))
                    .structured()
                    .path("sources")
                    .forEach(source -> outcomes.put(
                            source.path("source").asText(),
                            source.path("status").asText()));
            assertEquals(
                    List.of("agentroot:sound", "agentroot:torn", "vectordb:sound", "vectordb:torn"),
                    List.copyOf(outcomes.keySet()));
            assertFalse(outcomes.get("vectordb:torn").equals(outcomes.get("vectordb:sound")), outcomes::toString);
        }
    }

    private static ToolResult ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result;
    }

    /** Cuts the files of every space of that name in half; how many. */
    private static int tear(Path stores, String space) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(stores)) {
            files = walk.filter(file -> file.toString().endsWith(".cfs"))
                    .filter(file -> file.toString().contains("s-" + space + "-"))
                    .toList();
        }
        for (Path file : files) {
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                bytes.setLength(bytes.length() / 2);
            }
        }
        return files.size();
    }
}
