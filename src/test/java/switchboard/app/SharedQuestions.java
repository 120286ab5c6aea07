package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Gateways that share standing questions, in a schema for each test. */
abstract class SharedQuestions {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G";
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    final Map<String, ApiKey> keys = List.of("ann", "bob", "eve", "feed").stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    final List<TestGateway> gateways = new ArrayList<>();
    final List<GatewayProcess> processes = new ArrayList<>();
    String schema = "";

    /** More of the section {@code watches} of the team {@code readers}. */
    String more = "";

    @BeforeEach
    void start() {
        schema = "questions" + SCHEMAS.incrementAndGet();
    }

    @AfterEach
    void stop() {
        processes.forEach(GatewayProcess::close);
        gateways.forEach(TestGateway::close);
        try {
            postgres.sql("SELECT 1");
        } catch (AssertionError _) {
            postgres.restart();
        }
    }

    final String settings(Path data) throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  readers: {keys: [{id: ann, sha256: %s}, {id: bob, sha256: %s}], grants: ["switchboard:search,read", "vectordb:*"]}
                  others: {keys: [{id: eve, sha256: %s}], grants: ["switchboard:search,read", "vectordb:*"]}
                  feed: {keys: [{id: feed, sha256: %s}], grants: ["vectordb:*"]}
                """.formatted(
                        keys.get("ann").sha256(),
                        keys.get("bob").sha256(),
                        keys.get("eve").sha256(),
                        keys.get("feed").sha256()));
        Files.writeString(data.resolve("hook.key"), SECRET);
        Files.writeString(data.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Files.writeString(data.resolve("database.url"), postgres.url());
        return """
                server: {stateKey: "${file:%s/state.key}"}
                auth: {mode: keys}
                cluster: {database: "${file:%s/database.url}", schema: %s}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    readers: {log: false, watches: {most: 3, every: 10m, runsPerMinute: 6000%s}}
                    others: {log: false, watches: {runsPerMinute: 6000}}
                backends:
                  vectordb: {type: vectordb, store: cluster}
                """.formatted(data, data, schema, more.replace("FOLDER", data.toString()));
    }

    final TestGateway gateway(String name) throws IOException {
        Path data = folder.resolve(name);
        TestGateway gateway = TestGateway.start(settings(data), data);
        gateways.add(gateway);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
        return gateway;
    }

    /** Two of them, with a document. */
    final List<TestGateway> two() throws IOException {
        List<TestGateway> both = List.of(gateway("one"), gateway("two"));
        ingest(both.getFirst(), "barge", "A barge carries grain on the river.");
        return both;
    }

    final McpTestClient client(McpTestClient any, String id) {
        return any.with("Authorization", "Bearer " + keys.get(id).text());
    }

    final McpTestClient client(TestGateway gateway, String id) {
        return client(gateway.modern(), id);
    }

    final void ingest(TestGateway gateway, String source, String text) {
        ingest(client(gateway, "feed"), source, text);
    }

    static void ingest(McpTestClient feed, String source, String text) {
        ToolResult stored =
                feed.call("ingest_text", Json.object().put("content", text).put("source", source));
        assertFalse(stored.isError(), stored::toString);
    }

    static JsonNode ok(McpTestClient client, ObjectNode arguments) {
        ToolResult result = client.call("watch_search", arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().path("watches");
    }

    final JsonNode ok(TestGateway gateway, String id, ObjectNode arguments) {
        return ok(client(gateway, id), arguments);
    }

    static String ask(McpTestClient client, ObjectNode arguments) {
        return ok(client, arguments).at("/0/watch").asText();
    }

    final String ask(TestGateway gateway, String id, String query) {
        return ask(client(gateway, id), Json.object().put("query", query).put("limit", 100));
    }

    final JsonNode read(TestGateway gateway, String id, String watch) {
        return ok(gateway, id, Json.object().put("watch", watch)).get(0);
    }

    final JsonNode news(TestGateway gateway, String id, String watch, int count) {
        return news(client(gateway, id), watch, count);
    }

    static JsonNode news(McpTestClient client, String watch, int count) {
        JsonNode found = Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> ok(client, Json.object().put("watch", watch)).get(0),
                all -> all.path("news").size() >= count);
        assertEquals(count, found.path("news").size(), found::toString);
        Set<String> addresses = new TreeSet<>();
        found.path("news").forEach(news -> addresses.add(news.path("address").asText()));
        assertEquals(count, addresses.size(), "none twice");
        return found;
    }
}
