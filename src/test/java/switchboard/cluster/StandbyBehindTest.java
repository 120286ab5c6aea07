package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.cluster.SharedDocumentsTest.client;
import static switchboard.cluster.SharedDocumentsTest.ingest;
import static switchboard.cluster.SharedDocumentsTest.ok;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.replica.ReplicaNode;
import switchboard.testing.Eventually;
import switchboard.testing.IndexContents;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.ToolResult;

/** A standby is promoted that lacks the last commits, which gateways have followed and told their callers. */
@Tag("engines")
class StandbyBehindTest {
    private static final String SCHEMA = "behind";
    private static final String SHARED = """
              docs: { type: vectordb, store: cluster, dataDir: shared }
            views: { shared: { backends: [docs] } }
            """;
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private Replicas replicas;

    @Test
    void allGatewaysHaveWhatTheNewPrimaryHasAndOnlyWhatItLackedIsLost() throws IOException {
        try (PostgresCluster primary = PostgresCluster.alone()) {
            PostgresCluster standby = primary.asynchronousStandby();
            try (Replicas started = new Replicas(primary, SCHEMA, folder, SHARED)) {
                replicas = started;
                Map<String, String> kept = kept();
                String rows = "SELECT sum(position) FROM behind.library";
                Eventually.within(
                        LONG,
                        () -> standby.sql(rows).equals(primary.sql(rows)),
                        () -> "the standby has all of it: " + standby.sql(rows));
                standby.kill();
                changesThatItWillLack(kept);
                primary.kill();
                standby.restart();
                standby.promote();
                long promoted = System.nanoTime();
                kept.putAll(newDocuments());
                System.out.println("after the promotion of a standby that was behind, "
                        + (System.nanoTime() - promoted) / 1_000_000
                        + " ms until each gateway had new documents of all of them");
                for (int index = 0; index < 3; index++) {
                    assertEquals(kept, documents(index), "gateway " + index);
                }
                filesAreThoseOf(standby);
            }
        }
    }

    /** Documents in two libraries, by source, as each gateway has them. */
    private Map<String, String> kept() {
        Map<String, String> kept = new TreeMap<>();
        for (int number = 0; number < 18; number++) {
            String source = "kept" + number;
            String text = "heron number" + number;
            ok(ingest(client(replicas, number % 3), "library" + number % 2, source, text));
            kept.put(source, text);
        }
        for (int index = 0; index < 3; index++) {
            assertEquals(kept, documents(index));
        }
        return kept;
    }

    private void changesThatItWillLack(Map<String, String> kept) {
        Map<String, String> now = new TreeMap<>(kept);
        for (int number = 0; number < 9; number++) {
            String lost = "lost" + number;
            ok(ingest(client(replicas, number % 3), number < 6 ? "library0" : "new", lost, "heron lost" + number));
            now.put(lost, "heron lost" + number);
        }
        for (int number = 0; number < 4; number++) {
            String source = "kept" + number;
            ok(ingest(client(replicas, number % 3), "library" + number % 2, source, "heron replaced" + number));
            now.put(source, "heron replaced" + number);
        }
        for (int number = 4; number < 7; number++) {
            String source = "kept" + number;
            String id = ok(client(replicas, 1)
                            .call("list_documents", Json.object().put("limit", 100)))
                    .path("documents")
                    .valueStream()
                    .filter(document -> document.path("source").asText().equals(source))
                    .findFirst()
                    .orElseThrow()
                    .path("doc_id")
                    .asText();
            assertTrue(
                    ok(client(replicas, 2).call("delete_document", Json.object().put("doc_id", id)))
                            .path("found")
                            .asBoolean());
            now.remove(source);
        }
        for (int index = 0; index < 3; index++) {
            assertEquals(now, documents(index), "they have followed");
        }
    }

    /** Each gateway writes, so that the positions that were lost are given again, and finds what the others have written. */
    private Map<String, String> newDocuments() {
        Map<String, String> made = new TreeMap<>();
        for (int index = 0; index < 3; index++) {
            int gateway = index;
            String source = "made" + index;
            String text = "heron made" + index;
            Eventually.first(
                    LONG,
                    () -> ingest(client(replicas, gateway), "library" + gateway % 2, source, text),
                    answer -> !answer.isError());
            made.put(source, text);
        }
        for (int index = 0; index < 3; index++) {
            int gateway = index;
            Eventually.within(
                    LONG,
                    () -> {
                        ToolResult found = client(replicas, gateway)
                                .call("list_documents", Json.object().put("limit", 100));
                        return !found.isError()
                                && made.keySet().stream()
                                        .allMatch(source -> found.toString().contains(source));
                    },
                    () -> "gateway " + gateway + " has new documents");
        }
        return made;
    }

    /** The texts of all documents of a gateway, by source. Searches find them, and nothing else. */
    private Map<String, String> documents(int index) {
        Map<String, String> texts = new TreeMap<>();
        JsonNode listed =
                ok(client(replicas, index).call("list_documents", Json.object().put("limit", 100)));
        for (JsonNode document : listed.path("documents")) {
            JsonNode read = ok(client(replicas, index)
                    .call(
                            "get_document",
                            Json.object().put("doc_id", document.path("doc_id").asText())));
            texts.put(document.path("source").asText(), read.path("content").asText());
        }
        Map<String, String> found = new TreeMap<>();
        ok(client(replicas, index)
                        .call("search", Json.object().put("query", "heron").put("top_k", 100)))
                .path("results")
                .forEach(hit -> found.put(
                        hit.path("source").asText(), hit.path("content").asText()));
        assertEquals(texts, found);
        return texts;
    }

    private void filesAreThoseOf(PostgresCluster database) {
        Path own = folder.resolve("rebuilt");
        try (ReplicaNode node = new ReplicaNode(database, SCHEMA, own).joined()) {
            node.complete();
        }
        Map<String, List<String>> rebuilt = IndexContents.of(own);
        for (int index = 0; index < 3; index++) {
            Path files = replicas.gateway(index).data().resolve("shared");
            Eventually.within(
                    LONG,
                    () -> IndexContents.of(files).equals(rebuilt),
                    () -> "the files are those of the database: " + IndexContents.of(files) + " " + rebuilt);
        }
    }
}
