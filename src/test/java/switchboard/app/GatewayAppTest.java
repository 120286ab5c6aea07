package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The gateway as a whole: starting, being asked in both eras, refusing to start, stopping. */
class GatewayAppTest {
    /** Engines that are not there: the gateway starts all the same. */
    private static final String TWO_ENGINES = """
            backends:
              weaviate: {type: weaviate, url: "http://127.0.0.1:1", writes: true}
              meilisearch: {type: meilisearch, url: "http://127.0.0.1:1"}
            """;

    @TempDir
    Path data;

    @Test
    void bothErasSeeTheSameToolsInEveryView() {
        try (TestGateway gateway = TestGateway.start(TWO_ENGINES, data)) {
            List<String> all = gateway.modern().toolNames();
            assertEquals(all, gateway.legacy().toolNames());
            Set<String> parts = new TreeSet<>(gateway.modern("weaviate").toolNames());
            parts.addAll(gateway.legacy("meilisearch").toolNames());
            parts.addAll(gateway.legacy("switchboard").toolNames());
            assertEquals(parts, new TreeSet<>(all));
            assertTrue(all.contains("weaviate-objects-upsert"), all::toString);
        }
    }

    @Test
    void toolsBehindAClosedGateAreNotListed() {
        String closed = TWO_ENGINES.replace("writes: true", "writes: false");
        try (TestGateway gateway = TestGateway.start(closed, data)) {
            assertFalse(gateway.modern().toolNames().contains("weaviate-objects-upsert"));
        }
    }

    @Test
    void anEngineThatIsDownIsAToolErrorAndAGaugeAndNothingMore() {
        try (TestGateway gateway = TestGateway.start(TWO_ENGINES, data)) {
            assertEquals(
                    "UNAVAILABLE",
                    gateway.modern("weaviate")
                            .call("weaviate-collections-get-config", "{}")
                            .errorKind());
            HttpReply ready = gateway.management("/health/ready");
            assertEquals(200, ready.status());
            assertEquals("serving", ready.json().path("state").asText());
            assertTrue(
                    gateway.management("/metrics").body().contains("switchboard_backend_up{backend=\"weaviate\"} 0"));
        }
    }

    @Test
    void anUnknownViewIsNotThere() {
        try (TestGateway gateway = TestGateway.start(TWO_ENGINES, data)) {
            try (McpTestClient client = McpTestClient.modern(gateway.url("nowhere"))) {
                assertEquals(404, client.request("tools/list", Json.object()).status());
            }
        }
    }

    @Test
    void aSecondProcessFindsTheGatewayOfADataFolderUntilItStops() {
        try (TestGateway gateway = TestGateway.start(TWO_ENGINES, data)) {
            assertEquals(Optional.of(gateway.url()), RunningGateway.find(data));
        }
        assertEquals(Optional.empty(), RunningGateway.find(data));
    }

    @Test
    void whatACrashedGatewayLeftBehindFindsNobody() throws IOException {
        Files.writeString(data.resolve("gateway.json"), "{\"url\":\"http://127.0.0.1:1/mcp\",\"pid\":2147483646}");
        assertEquals(Optional.empty(), RunningGateway.find(data));
        Files.writeString(data.resolve("gateway.json"), "{\"url\":\"http://127");
        assertEquals(Optional.empty(), RunningGateway.find(data));
    }

    @Test
    void aTakenPortIsOneLineThatNamesTheFlag() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            GatewayConfig config = config(TWO_ENGINES, "server.port", "--port", String.valueOf(taken.getLocalPort()));
            BootException refused = assertThrows(
                    BootException.class,
                    () -> start(config, Installation.current().withData(data)));
            assertEquals(BootException.Stage.ENVIRONMENT, refused.stage());
            assertEquals(1, refused.problems().size());
            assertTrue(refused.toString().contains("--port"), refused::toString);
            assertTrue(
                    refused.toString()
                            .contains(":" + taken.getLocalPort()
                                    + ": Address already in use; choose another port with --port"),
                    refused::toString);
        }
    }

    @Test
    void everyProblemOfTheToolFilesIsReportedAtOnce() throws IOException {
        Path home = Files.createDirectories(data.resolve("home"));
        write(home, "weaviate", "{\"tools\": [{\"name\": \"a b\"}, {\"name\": \"c\"}]}");
        BootException refused = assertThrows(
                BootException.class,
                () -> start(
                        config(TWO_ENGINES, "server.port", "--port", "0"),
                        new Installation(home, data, Periods.USUAL)));
        assertEquals(BootException.Stage.CONFIGURATION, refused.stage());
        assertTrue(refused.toString().contains("backends/meilisearch/tools.json can't be read"), refused::toString);
        assertTrue(refused.toString().contains("tool name \"a b\""), refused::toString);
        assertTrue(refused.toString().contains("tool c: \"title\" is missing"), refused::toString);
    }

    @Test
    void anUnknownEmbedderIsAConfigurationProblem() {
        String yaml = TWO_ENGINES.replace("type: meilisearch,", "type: meilisearch, embedder: defualt,");
        BootException refused = assertThrows(
                BootException.class,
                () -> start(
                        config(yaml, "server.port", "--port", "0"),
                        Installation.current().withData(data)));
        assertEquals(BootException.Stage.CONFIGURATION, refused.stage());
        assertTrue(refused.toString().contains("\"defualt\""), refused::toString);
    }

    @Test
    void aConfiguredViewShowsChosenToolsUnderNewNamesAndTexts() throws IOException {
        Files.writeString(
                data.resolve("texts.yaml"), "tools: {meilisearch__meilisearch_search: {description: Finds films.}}");
        String yaml = TWO_ENGINES + """
                views:
                  films:
                    backends: [meilisearch]
                    tools: [meilisearch__meilisearch_search]
                    rename: {meilisearch__meilisearch_search: find_films}
                    descriptions: texts.yaml
                    pinned: {meilisearch__meilisearch_search: {indexUid: films}}
                """;
        try (TestGateway gateway = TestGateway.start(yaml, data)) {
            JsonNode tool = gateway.modern("films").tools().getFirst();
            assertEquals("find_films", tool.path("name").asText());
            assertEquals("Finds films.", tool.path("description").asText());
            assertFalse(tool.path("inputSchema").path("properties").has("indexUid"));
        }
    }

    @Test
    void allProblemsOfConfiguredViewsKeepTheGatewayFromStarting() {
        String yaml = TWO_ENGINES + """
                views:
                  a: {backends: [meilisearch], tools: [meilisearch__nothing]}
                  b: {backends: [weaviate], descriptions: absent.yaml}
                """;
        BootException refused = assertThrows(
                BootException.class,
                () -> start(
                        config(yaml, "server.port", "--port", "0"),
                        Installation.current().withData(data)));
        assertEquals(BootException.Stage.CONFIGURATION, refused.stage());
    }

    @Test
    void aRestartKeepsWhatWasIngested() throws IOException {
        Path documents = Files.createDirectories(data.resolve("documents"));
        Path file = Files.writeString(documents.resolve("note.md"), "# Zebras\n\nZebras have stripes.\n");
        String yaml = """
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, ingestRoots: ['%s']}
                """.formatted(documents);
        String id;
        try (TestGateway gateway = TestGateway.start(yaml, data)) {
            ToolResult ingested =
                    gateway.modern().call("ingest_file", Json.object().put("path", file.toString()));
            assertEquals("indexed", ingested.structured().path("status").asText(), ingested::toString);
            id = ingested.structured().path("doc_id").asText();
        }
        try (TestGateway gateway = TestGateway.start(yaml, data)) {
            JsonNode hits =
                    gateway.legacy().call("search", "{\"query\": \"stripes\"}").structured();
            assertEquals(id, hits.path("results").path(0).path("doc_id").asText(), hits::toString);
        }
    }

    @Test
    void aDataFolderWhoseOwnerDoesNotAnswerIsOneLine() throws IOException {
        Files.createDirectories(data.resolve("data/vectordb"));
        try (FileChannel file = FileChannel.open(
                        data.resolve("data/vectordb/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            assertTrue(held.isValid());
            BootException refused = assertThrows(
                    BootException.class, () -> TestGateway.start("backends: {vectordb: {type: vectordb}}", data));
            assertEquals(BootException.Stage.ENVIRONMENT, refused.stage());
            assertEquals(1, refused.problems().size());
            assertTrue(refused.toString().contains("in use"), refused::toString);
        }
    }

    @Test
    void closingTwiceIsHarmlessAndNothingListensAfterwards() {
        TestGateway gateway = TestGateway.start(TWO_ENGINES, data);
        URI url = gateway.url();
        gateway.close();
        gateway.app().close();
        try (McpTestClient client = McpTestClient.modern(url)) {
            assertThrows(AssertionError.class, client::toolNames);
        }
    }

    private static GatewayApp start(GatewayConfig config, Installation installation) {
        return GatewayApp.start(config, installation, BackendTypes.shipped(), Clock.systemUTC());
    }

    private GatewayConfig config(String yaml, String path, String flag, String text) {
        Overrides overrides = new Overrides(Map.of(
                path,
                new Overrides.Flag(flag, text),
                "management.port",
                new Overrides.Flag("--management-port", "0"),
                "console.port",
                new Overrides.Flag("--console-port", "0")));
        return new ConfigLoader(BackendTypes.shipped().settings(), Map.of()).parse(yaml, "test.yaml", data, overrides);
    }

    private static void write(Path home, String type, String tools) throws IOException {
        Path folder = Files.createDirectories(home.resolve("backends").resolve(type));
        Files.writeString(folder.resolve("tools.json"), tools);
    }
}
