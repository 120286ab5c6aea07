package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What one gateway has acknowledged, the others know at once. */
@Tag("engines")
class SharedDocumentsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "documents", folder, SHARED);
    }

    /** A backend of {@link Replicas} whose documents are shared. */
    static final String SHARED = "  library: { type: vectordb, store: cluster, dataDir: shared }\n"
            + "views: { shared: { backends: [library] } }\n";

    @AfterAll
    static void stop() {
        replicas.close();
    }

    static McpTestClient client(Replicas replicas, int index) {
        return replicas.gateway(index)
                .modern("shared")
                .with("X-API-Key", replicas.red().get("X-API-Key"));
    }

    private static McpTestClient client(int index) {
        return client(replicas, index);
    }

    static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    static ToolResult ingest(McpTestClient client, String library, String source, String content) {
        return client.call(
                "ingest_text",
                Json.object().put("library", library).put("source", source).put("content", content));
    }

    static JsonNode search(McpTestClient client, String query) {
        return ok(client.call("search", Json.object().put("query", query)));
    }

    static List<String> sources(JsonNode found) {
        List<String> sources = new ArrayList<>();
        found.path("results").forEach(hit -> sources.add(hit.path("source").asText()));
        return sources;
    }

    @Test
    void whatIsPutOnOneIsFoundOnTheOthers() {
        for (int round = 0; round < 9; round++) {
            String word = "marker" + "abcdefghi".charAt(round) + "x";
            JsonNode put = ok(ingest(client(round % 3), "lib" + round, "s" + round, "A lighthouse and a " + word));
            assertEquals("indexed", put.path("status").asText());
            for (int other = 1; other <= 2; other++) {
                JsonNode found = search(client((round + other) % 3), word);
                assertEquals(List.of("s" + round), sources(found));
                assertEquals(put.path("doc_id"), found.path("results").path(0).path("doc_id"));
            }
        }
    }

    @Test
    void replacedAndDeletedDocumentsAreGoneEverywhere() {
        String first = ok(ingest(client(0), "r", "kept", "alpha walrus"))
                .path("doc_id")
                .asText();
        JsonNode second = ok(ingest(client(1), "r", "kept", "beta narwhal"));
        assertEquals("replaced", second.path("status").asText());
        assertTrue(sources(search(client(2), "walrus")).isEmpty());
        assertEquals(List.of("kept"), sources(search(client(2), "narwhal")));
        assertEquals("NOT_FOUND", get(2, first).errorKind());
        String id = second.path("doc_id").asText();
        assertEquals("beta narwhal", ok(get(0, id)).path("content").asText());
        ObjectNode described =
                Json.object().put("library", "r").put("source", "kept").put("content", "beta narwhal");
        described.putObject("metadata").put("team", "red");
        assertEquals(
                id, ok(client(0).call("ingest_text", described)).path("doc_id").asText());
        assertEquals("red", ok(get(1, id)).path("metadata").path("team").asText());
        assertTrue(ok(client(2).call("delete_document", Json.object().put("doc_id", id)))
                .path("found")
                .asBoolean());
        for (int index = 0; index < 3; index++) {
            assertEquals("NOT_FOUND", get(index, id).errorKind());
            assertTrue(sources(search(client(index), "narwhal")).isEmpty());
        }
        assertFalse(ok(client(1).call("delete_document", Json.object().put("doc_id", id)))
                .path("found")
                .asBoolean());
    }

    private static ToolResult get(int index, String id) {
        return client(index).call("get_document", Json.object().put("doc_id", id));
    }

    @Test
    void listsAreTheSameEverywhere() {
        ok(ingest(client(0), "listed", "one", "first page"));
        ok(ingest(client(1), "listed", "two", "second page"));
        ok(ingest(client(2), "listed", "three", "third page"));
        ObjectNode listed = Json.object().put("library", "listed");
        JsonNode expected = ok(client(0).call("list_documents", listed));
        assertEquals(3, expected.path("total").asInt());
        assertEquals("three", expected.path("documents").path(0).path("source").asText());
        for (int index = 1; index < 3; index++) {
            assertEquals(expected, ok(client(index).call("list_documents", listed)));
            assertEquals(
                    ok(client(0).call("list_libraries", Json.object())),
                    ok(client(index).call("list_libraries", Json.object())));
        }
    }

    @Test
    void aGatewayThatWasAwayCatchesUpAndDeletedFilesComeBack() throws IOException {
        ok(ingest(client(0), "away", "before", "cormorant before"));
        replicas.gateway(2).close();
        try {
            ok(ingest(client(0), "away", "while", "cormorant while"));
            try (Stream<Path> files =
                    Files.walk(replicas.gateway(2).data().resolve("shared").resolve("spaces"))) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } finally {
            replicas.gateway(2).restart();
        }
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> replicas.gateway(2).management("/health/ready").status() == 200,
                () -> replicas.gateway(2).management("/health/ready").body());
        assertEquals(2, sources(search(client(2), "cormorant")).size());
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> replicas.gateway(2).management("/metrics").body().contains(BEHIND + " 0.0"),
                () -> "nothing is left to follow");
        ok(ingest(client(2), "away", "after", "cormorant after"));
        assertEquals(3, sources(search(client(1), "cormorant")).size());
    }

    private static final String BEHIND = "switchboard_store_behind{store=\"library\"}";

    @Test
    void federatedToolsSeeTheSame() {
        String word = "federatedword";
        ok(ingest(client(1), "federated", "f", "the " + word));
        McpTestClient all =
                replicas.gateway(2).modern().with("X-API-Key", replicas.red().get("X-API-Key"));
        JsonNode listed = ok(all.call("list_sources", Json.object()));
        assertTrue(listed.toString().contains("library:federated"), listed::toString);
        JsonNode found = ok(all.call("search_everywhere", Json.object().put("query", word)));
        assertTrue(found.toString().contains("\"the " + word), found::toString);
    }

    @Test
    void withoutAClusterTheStoreIsRefused() {
        String told = assertThrows(Exception.class, () -> TestGateway.start("""
                        backends:
                          library: { type: vectordb, store: cluster }
                        """).close())
                .toString();
        assertTrue(told.contains("backends.library.store") && told.contains("add the section"), told);
    }

    @Test
    void textOfAllKindsComesBackAsItWas() {
        String text = "zero \u0000 end, Größe 日本語 😀, \\u0000 and \"quotes\"\n\n" + "long words ".repeat(20_000);
        ObjectNode arguments = Json.object()
                .put("library", "Größe 'and' \"quotes\" 日本語")
                .put("source", "s\u0000 ' 😀")
                .put("title", "t\u0000")
                .put("content", text);
        arguments.putObject("metadata").put("k\u0000", "v\u0000 \ud800");
        String id = ok(client(0).call("ingest_text", arguments)).path("doc_id").asText();
        ObjectNode part = Json.object().put("doc_id", id).put("max_chars", 100);
        JsonNode here = ok(client(0).call("get_document", part));
        assertEquals(text.substring(0, 100), here.path("content").asText());
        assertEquals(here, ok(client(1).call("get_document", part)));
        TreeSet<String> all = new TreeSet<>();
        for (int index = 0; index < 3; index++) {
            all.add(search(client(index), "日本語").path("results").toString());
        }
        assertEquals(1, all.size(), all::toString);
    }
}
