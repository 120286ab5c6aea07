package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
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

    /** By their names, as the others. */
    final Map<String, TestGateway> gateways = new LinkedHashMap<>();

    final Map<String, GatewayProcess> processes = new LinkedHashMap<>();
    String schema = "";

    /** More of the section {@code watches} of the team {@code readers}. */
    String more = "";

    @BeforeEach
    void start() {
        schema = "questions" + SCHEMAS.incrementAndGet();
    }

    @AfterEach
    void stop() {
        processes.values().forEach(GatewayProcess::close);
        gateways.values().forEach(TestGateway::close);
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
                cluster: {database: "${file:%s/database.url}", schema: %s, node: %s}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    readers: {log: false, watches: {most: 3, every: 10m, runsPerMinute: 6000%s}}
                    others: {log: false, watches: {runsPerMinute: 6000}}
                backends:
                  vectordb: {type: vectordb, store: cluster}
                """.formatted(data, data, schema, data.getFileName(), more.replace("FOLDER", data.toString()));
    }

    final TestGateway gateway(String name) throws IOException {
        Path data = folder.resolve(name);
        TestGateway gateway = TestGateway.start(settings(data), data);
        gateways.put(name, gateway);
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

    /** As a dump has bytes. */
    static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The name of the one that asks the questions. */
    final String whoAsks() {
        return Eventually.first(
                        Eventually.OF_A_PROCESS,
                        () -> postgres.sql("SELECT node.name FROM $.job JOIN $.node ON node.id = job.holder"
                                .replace("$", schema)
                                .concat(" WHERE job.backend = 'watch://' AND job.until > clock_timestamp()")),
                        name -> !name.isBlank())
                .strip();
    }

    final Asker asker(URI url, String id) {
        return new Asker(url, keys.get(id));
    }

    final Asker asker(TestGateway gateway, String id) {
        return asker(gateway.url(), id);
    }

    final McpTestClient client(TestGateway gateway, String id) {
        return asker(gateway, id).client();
    }

    final void ingest(TestGateway gateway, String source, String text) {
        ingest(client(gateway, "feed"), source, text);
    }

    /** On a gateway that may still be building its files of a library that another one has begun. */
    static void ingest(McpTestClient feed, String source, String text) {
        ObjectNode arguments = Json.object().put("content", text).put("source", source);
        ToolResult stored = Eventually.first(
                Eventually.OF_A_PROCESS, () -> feed.call("ingest_text", arguments), result -> !"UNAVAILABLE"
                        .equals(result.errorKind()));
        assertFalse(stored.isError(), stored::toString);
    }

    final JsonNode ok(TestGateway gateway, String id, ObjectNode arguments) {
        return asker(gateway, id).ok(arguments);
    }

    final String ask(TestGateway gateway, String id, String query) {
        return asker(gateway, id).ask(Json.object().put("query", query).put("limit", 100));
    }

    final JsonNode read(TestGateway gateway, String id, String watch) {
        return asker(gateway, id).read(watch);
    }

    final JsonNode news(TestGateway gateway, String id, String watch, int count) {
        return news(asker(gateway, id), watch, count);
    }

    static JsonNode news(Asker asker, String watch, int count) {
        JsonNode found = Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> asker.read(watch),
                all -> all.path("news").size() >= count);
        assertEquals(count, found.path("news").size(), found::toString);
        Set<String> addresses = new TreeSet<>();
        found.path("news").forEach(news -> addresses.add(news.path("address").asText()));
        assertEquals(count, addresses.size(), "none twice");
        return found;
    }
}
