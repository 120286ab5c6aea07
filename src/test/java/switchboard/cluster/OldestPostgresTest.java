package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.cluster.SharedDocumentsTest.ingest;
import static switchboard.cluster.SharedDocumentsTest.ok;
import static switchboard.cluster.SharedDocumentsTest.search;
import static switchboard.cluster.SharedDocumentsTest.sources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.IndexContents;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.Replicas;

/** Gateways share what they share on the oldest PostgreSQL that is supported, too. */
@Tag("engines")
class OldestPostgresTest {
    private static final int CALLS_A_DAY = 9;

    @TempDir
    static Path folder;

    private static Path docs;
    private static PostgresCluster postgres;
    private static Replicas replicas;

    @BeforeAll
    static void start() throws IOException {
        postgres = PostgresCluster.oldest();
        docs = Files.createDirectory(folder.resolve("docs")).toRealPath();
        replicas = new Replicas(
                postgres,
                folder,
                new Replicas.Settings("oldest", """
                          library: { type: vectordb, store: cluster, dataDir: shared }
                          kb: { type: agentroot, store: cluster, dataDir: kb, roots: ['%s'] }
                        views: { shared: { backends: [library] } }
                        """.formatted(docs))
                        .with(Map.of("daily", "limits: {callsPerDay: " + CALLS_A_DAY + "}")));
    }

    @AfterAll
    static void stop() throws IOException {
        if (replicas != null) {
            replicas.close();
            postgres.close();
        }
    }

    private static McpTestClient client(int index) {
        return SharedDocumentsTest.client(replicas, index);
    }

    private static JsonNode kb(int index, String tool, String json) {
        return ok(replicas.gateway(index)
                .modern("kb")
                .with("X-API-Key", replicas.red().get("X-API-Key"))
                .call(tool, json.replace('\'', '"')));
    }

    @Test
    void itIsTheOldestVersion() {
        assertTrue(postgres.sql("SHOW server_version").startsWith("15."));
    }

    @Test
    void documentsAreTheSameEverywhere() throws IOException {
        for (int number = 0; number < 12; number++) {
            ok(ingest(client(number % 3), "l" + number % 2, "s" + number, "heron \u0000 日本語 number" + number));
        }
        ok(ingest(client(0), "l0", "s0", "an osprey instead"));
        ObjectNode described = Json.object().put("library", "l1").put("source", "s1");
        described
                .put("content", "heron \u0000 日本語 number1")
                .putObject("metadata")
                .put("team", "red");
        String id = ok(client(1).call("ingest_text", described)).path("doc_id").asText();
        String gone =
                ok(ingest(client(2), "l0", "gone", "heron gone")).path("doc_id").asText();
        assertTrue(ok(client(0).call("delete_document", Json.object().put("doc_id", gone)))
                .path("found")
                .asBoolean());
        theSameEverywhere(id);
        replicas.gateway(2).close();
        ok(ingest(client(0), "l0", "later", "osprey later"));
        Programs.delete(replicas.gateway(2).data().resolve("shared"));
        replicas.gateway(2).restart();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> replicas.gateway(2).management("/health/ready").status() == 200,
                () -> replicas.gateway(2).management("/health/ready").body());
        theSameEverywhere(id);
        assertEquals(2, sources(search(client(2), "osprey")).size());
    }

    private static void theSameEverywhere(String id) {
        JsonNode listed = ok(client(0).call("list_documents", Json.object()));
        for (int index = 0; index < 3; index++) {
            assertEquals(listed, ok(client(index).call("list_documents", Json.object())));
            JsonNode found = ok(client(index)
                    .call("search", Json.object().put("query", "heron").put("top_k", 100)));
            assertEquals(11, sources(found).size());
            JsonNode document =
                    ok(client(index).call("get_document", Json.object().put("doc_id", id)));
            assertEquals(
                    "red heron \u0000 日本語 number1",
                    document.path("metadata").path("team").asText() + " "
                            + document.path("content").asText());
        }
        for (int index = 1; index < 3; index++) {
            assertEquals(files(0), files(index));
        }
    }

    private static Map<String, List<String>> files(int index) {
        return IndexContents.of(replicas.gateway(index).data().resolve("shared"));
    }

    @Test
    void collectionsMemoriesAndSearchSessionsAreTheSameEverywhere() throws IOException {
        for (int number = 0; number < 6; number++) {
            Files.writeString(docs.resolve("f" + number + ".md"), "# File " + number + "\n\nheron number" + number);
        }
        kb(0, "collection_add", "{'name':'docs','path':'" + docs + "'}");
        assertEquals(
                6, kb(1, "collection_update", "{'name':'docs'}").path("added").asInt());
        Files.delete(docs.resolve("f0.md"));
        assertEquals(
                1, kb(2, "collection_update", "{'name':'docs'}").path("removed").asInt());
        kb(0, "metadata_add", "{'docid':'docs/f1.md','metadata':{'author':'Ada'}}");
        kb(1, "memory_store", "{'content':'The tide table is on the door','category':'fact'}");
        String session =
                kb(2, "session_start", "{'ttl_seconds':60}").path("session_id").asText();
        for (int index = 0; index < 3; index++) {
            kb(index, "session_set", "{'session_id':'" + session + "','key':'k" + index + "','value':'v'}");
            String search = "{'query':'heron','collection':'docs','session_id':'" + session + "'}";
            assertEquals(5, kb(index, "search", search).path("count").asInt());
            assertEquals(
                    1,
                    kb(index, "memory_search", "{'query':'tide'}").path("count").asInt());
            assertEquals(
                    1,
                    kb(index, "metadata_query", "{'field':'author','operator':'eq','value':'Ada'}")
                            .path("count")
                            .asInt());
        }
        JsonNode kept = kb(0, "session_get", "{'session_id':'" + session + "'}");
        assertEquals(3, kept.path("queries").size());
        assertEquals("v", kept.path("context").path("k2").asText());
    }

    @Test
    void sessionsAndLimitsHoldOverAll() {
        McpTestClient session = replicas.session(replicas.red());
        for (int index = 0; index < 3; index++) {
            replicas.proxy().to(index);
            assertEquals(200, session.request("ping", Json.object()).status());
        }
        replicas.proxy().inTurn();
        McpTestClient daily = McpTestClient.modern(replicas.url("fixture"))
                .with("X-API-Key", replicas.of("daily").get("X-API-Key"));
        assertEquals(CALLS_A_DAY, LimitStories.succeeded(daily, 2 * CALLS_A_DAY));
        assertEquals(204, session.delete().status());
    }
}
