package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HeldEmbeddings;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code switchboard reindex} where gateways share documents. */
@Tag("engines")
class SharedReindexTest {
    private static final String WORDS_ONLY = "embedders: { default: { provider: none } }\n";
    private static final int DOCUMENTS = 30;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    private String schema = "";

    @BeforeEach
    void name(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
    }

    private Path configured(String name, String embedders) throws IOException {
        Path key = Files.writeString(folder.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Path url = Files.writeString(folder.resolve("database.url"), postgres.url());
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(data.resolve("switchboard.yaml"), """
                server: { stateKey: "${file:%s}" }
                cluster: { database: "${file:%s}", schema: %s, node: %s }
                backends: { docs: { type: vectordb, store: cluster, dataDir: shared } }
                %s""".formatted(key, url, schema, name, embedders));
        return data;
    }

    private static TestGateway started(Path data) throws IOException {
        TestGateway gateway = TestGateway.start(Files.readString(data.resolve("switchboard.yaml")), data);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
        return gateway;
    }

    private static JsonNode call(TestGateway gateway, String tool, ObjectNode arguments) {
        ToolResult result = gateway.modern().call("docs__" + tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static void ingest(TestGateway gateway, String source, String text) {
        call(gateway, "ingest_text", Json.object().put("source", source).put("content", text));
    }

    private static CompletableFuture<String> reindex(Path data) {
        CompletableFuture<String> printed = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                printed.complete(Replicas.command(data, "reindex", "--backend=docs"));
            } catch (RuntimeException | Error e) {
                printed.completeExceptionally(e);
            }
        });
        return printed;
    }

    private static int documents(CompletableFuture<String> printed) throws Exception {
        String told = printed.get(3, TimeUnit.MINUTES);
        Matcher found = Pattern.compile("^0: [^\\n]*docs: (\\d+) documents have vectors of m now", Pattern.DOTALL)
                .matcher(told.substring(0, 3) + told.substring(told.indexOf("docs: ")));
        assertTrue(found.find(), told);
        return Integer.parseInt(found.group(1));
    }

    @Test
    void vectorsReachAllAndReplacedDocumentsKeepTheirOwn() throws Exception {
        try (HeldEmbeddings embeddings = new HeldEmbeddings()) {
            Path words = configured("words", WORDS_ONLY);
            Path first = configured("first", embeddings.yaml());
            Path second = configured("second", embeddings.yaml());
            try (TestGateway gateway = started(words)) {
                for (int i = 0; i < DOCUMENTS; i++) {
                    ingest(gateway, "s" + i, "heron number " + i);
                }
                ingest(gateway, "s5", "heron that is held");
            }
            try (TestGateway here = started(first);
                    TestGateway there = started(second)) {
                CompletableFuture<String> one = reindex(first);
                Eventually.within(
                        Eventually.OF_A_PROCESS, () -> embeddings.asked() == 1, () -> "one: " + embeddings.asked());
                CompletableFuture<String> other = reindex(second);
                ingest(there, "s5", "heron of today");
                embeddings.release();
                assertEquals(DOCUMENTS, documents(one));
                assertEquals(0, documents(other), "it waits for the first one, and finds nothing left");
                assertEquals(1, embeddings.asked());
                for (TestGateway gateway : List.of(here, there)) {
                    JsonNode found = call(gateway, "search", Json.object().put("query", "heron of today"));
                    assertEquals("hybrid", found.path("mode").asText(), found::toString);
                    assertTrue(found.toString().contains("heron of today"), found::toString);
                    assertFalse(found.toString().contains("that is held"), found::toString);
                }
                assertEquals(0, documents(reindex(first)));
                assertEquals(0, documents(reindex(second)));
            }
            // Without one that runs, the command joins the gateways while it works.
            try (TestGateway gateway = started(words)) {
                ingest(gateway, "later", "heron later");
            }
            assertEquals(1, documents(reindex(first)));
            try (TestGateway here = started(second)) {
                assertEquals(0, documents(reindex(second)));
                assertEquals(
                        DOCUMENTS + 1,
                        call(here, "list_documents", Json.object())
                                .path("total")
                                .asInt());
            }
        }
    }

    @Test
    void anotherGatewayGoesOnWhereAKilledOneWas() throws Exception {
        try (HeldEmbeddings embeddings = new HeldEmbeddings()) {
            Path words = configured("words", WORDS_ONLY);
            Path first = configured("first", embeddings.yaml());
            Path second = configured("second", embeddings.yaml());
            try (TestGateway gateway = started(words)) {
                ingest(gateway, "a", "heron one");
                ingest(gateway, "b", "heron that is held");
                ingest(gateway, "c", "heron three");
            }
            try (TestGateway there = started(second)) {
                CompletableFuture<String> one;
                try (GatewayProcess here = GatewayProcess.start(
                                new GatewayProcess.Launch(first.resolve("switchboard.yaml"), first, "512m", 0))
                        .ready()) {
                    one = reindex(first);
                    CompletableFuture<String> running = one;
                    Eventually.within(
                            Eventually.OF_A_PROCESS,
                            () -> embeddings.asked() == 1 || running.isDone(),
                            () -> "it computes: " + here.log());
                    assertFalse(running.isDone(), () -> running.getNow("") + here.log());
                    here.kill();
                }
                assertFalse(one.get(3, TimeUnit.MINUTES).startsWith("0:"), one::toString);
                embeddings.release();
                assertEquals(2, documents(reindex(second)), "the first one has its vectors");
                JsonNode found = call(there, "search", Json.object().put("query", "heron three"));
                assertEquals("hybrid", found.path("mode").asText(), found::toString);
                assertEquals(0, documents(reindex(second)));
            }
        }
    }
}
