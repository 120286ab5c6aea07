package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** The audit log as an operator reads it, and what happens to callers when it can't be written. */
class AuditOverHttpTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    @BeforeEach
    void teams() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed:red-*"]
                    limits: {callsPerDay: 4}
                  blue:
                    keys: [{id: b1, sha256: %s, limits: {callsPerSecond: 1, burst: 3}}]
                    grants: ["vectordb:*"]
                    redact: {arguments: ['ACME-\\d+'], results: [email]}
                """.formatted(red.sha256(), blue.sha256()));
    }

    @Test
    void everyCallAndEveryFailedAuthenticationIsALine() {
        try (TestGateway gateway = start("")) {
            McpTestClient client = client(gateway, red);
            client.call("ingest_text", "{\"library\":\"red-a\",\"content\":\"hello\",\"source\":\"s\"}");
            client.call("search", "{\"library\":\"blue-a\",\"query\":\"hello\"}");
            client.call("search", "{\"query\":7}");
            client.request("tools/call", Json.object().put("name", "delete_document"));
            client.call("list_libraries", "{}");
            client.call("list_libraries", "{}");
            client.call("list_libraries", "{}");
            ToolResult spent = client.call("list_libraries", "{}");
            assertEquals("OVERLOADED", spent.errorKind(), spent.toString());
            gateway.modern("vectordb").with("X-API-Key", "nonsense").request("tools/list", Json.object());
            McpTestClient other = client(gateway, blue);
            assertEquals(
                    400,
                    other.post("[%1$s,%1$s,%1$s,%1$s]".formatted(ping()), Map.of())
                            .status());

            List<JsonNode> lines = lines(10);
            JsonNode first = lines.getFirst();
            assertEquals(
                    List.of(
                            "time",
                            "event",
                            "requestId",
                            "traceId",
                            "address",
                            "view",
                            "team",
                            "key",
                            "method",
                            "tool",
                            "resources",
                            "decision",
                            "outcome",
                            "ms",
                            "bytes"),
                    first.properties().stream().map(Map.Entry::getKey).toList());
            assertEquals("call", first.path("event").asText());
            assertEquals(TRACE, first.path("traceId").asText());
            assertEquals("127.0.0.1", first.path("address").asText());
            assertEquals(
                    "red/r1",
                    first.path("team").asText() + "/" + first.path("key").asText());
            assertEquals("[\"red-a\"]", first.path("resources").toString());
            assertTrue(first.path("bytes").asInt() > 100 && first.path("ms").asDouble() > 0, first.toString());
            assertEquals(
                    List.of(
                            "ingest_text allowed ok",
                            "search denied denied",
                            "search invalid invalid_argument",
                            "delete_document unknown invalid_params",
                            "list_libraries allowed ok",
                            "list_libraries allowed ok",
                            "list_libraries allowed ok",
                            "list_libraries limited overloaded",
                            " refused invalid",
                            " limited key.burst"),
                    lines.stream().map(AuditOverHttpTest::summary).toList());
            assertEquals(
                    10,
                    lines.stream()
                            .map(line -> line.path("requestId").asText())
                            .distinct()
                            .count());
            String metrics = gateway.management("/metrics").body();
            assertTrue(
                    metrics.contains("switchboard_team_limited_total{limit=\"team.callsPerDay\",team=\"red\"} 1.0"),
                    metrics);
            assertTrue(
                    metrics.contains("switchboard_team_limited_total{limit=\"key.burst\",team=\"blue\"} 4.0"), metrics);
        }
    }

    @Test
    void theClaimsThatDecidedAreNamedWithoutTheirValues() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s, claims: {desk: [north-west], unused: [x]}}]
                    grants: ["vectordb:*"]
                    bindings: {vectordb: {owner: "{team}-{claim:desk}"}}
                """.formatted(red.sha256()));
        try (TestGateway gateway = start("")) {
            client(gateway, red).call("list_libraries", "{}");
            JsonNode line = lines(1).getFirst();
            assertEquals("[\"desk\"]", line.path("claims").toString(), line.toString());
            assertFalse(line.toString().contains("north-west"), line.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "none, ''",
        "hash, '\"argumentsSha256\":\"'",
        "redacted, '\"content\":\"buy [redacted]\",\"library\":\"b\",\"source\":\"[redacted]\"'",
        "full, '\"content\":\"buy [redacted]\",\"library\":\"b\",\"source\":\"me@example.org\"'"
    })
    void argumentsAreWrittenAsConfiguredAndNeverWhatTheTeamRedacts(String mode, String expected) {
        try (TestGateway gateway = start("arguments: " + mode)) {
            client(gateway, blue)
                    .call(
                            "ingest_text",
                            "{\"content\":\"buy ACME-4711\",\"source\":\"me@example.org\",\"library\":\"b\"}");
            String line = lines(1).getFirst().toString();
            assertTrue(line.contains(expected), line);
            assertFalse(line.contains("ACME"), line);
            assertEquals(mode.equals("none"), !line.contains("rguments"), line);
        }
    }

    @Test
    void whatATeamRedactsReachesNeitherTheStoreNorTheCaller() {
        try (TestGateway gateway = start("")) {
            McpTestClient client = client(gateway, blue);
            client.call(
                    "ingest_text",
                    "{\"content\":\"order ACME-4711 of ann@example.org\",\"source\":\"s\",\"library\":\"red-x\"}");
            ToolResult found = client.call("search", "{\"query\":\"order\",\"library\":\"red-x\"}");
            assertTrue(found.toString().contains("order [redacted] of [redacted]"), found.toString());
            assertFalse(
                    found.toString().contains("example.org") || found.toString().contains("ACME"));
            ToolResult stored = client(gateway, red).call("search", "{\"query\":\"order\",\"library\":\"red-x\"}");
            assertTrue(stored.toString().contains("order [redacted] of ann@example.org"), stored.toString());
        }
    }

    @AsksForErrors("AuditWriter - .*the audit log")
    @Test
    void whereTheTrailIsRequiredCallsAreRefusedWhileItFails() throws IOException {
        try (TestGateway gateway = start("maxSize: 4KiB, keep: 1, required: true")) {
            Path inTheWay = blockRotation();
            McpTestClient client = client(gateway, blue);
            Eventually.that(
                    () -> {
                        gateway.modern().request("tools/list", Json.object());
                        return client(gateway, blue).post(ping(), Map.of()).status() == 429
                                && gateway.management("/health/ready").body().contains("calls are refused");
                    },
                    () -> "the file is full and can't be put aside");
            assertEquals(1.0, metric(gateway, "switchboard_audit_failing"));
            assertTrue(metric(gateway, "switchboard_audit_failures_total") >= 1);
            ToolResult refused = client(gateway, red).call("list_libraries", "{}");
            assertEquals("UNAVAILABLE", refused.errorKind(), refused.toString());
            assertTrue(refused.text().contains("audit log"), refused.text());
            Files.delete(inTheWay);
            Eventually.that(
                    () -> gateway.management("/health/ready").body().contains("\"detail\":\"written\""),
                    () -> "it is written again");
            ToolResult allowed = client(gateway, red).call("list_libraries", "{}");
            assertFalse(allowed.isError(), allowed.toString());
            assertEquals(0.0, metric(gateway, "switchboard_audit_lost_total"));
        }
    }

    @AsksForErrors("AuditWriter - .*the audit log")
    @Test
    void whereItIsNotRequiredTheyGoOn() throws IOException {
        try (TestGateway gateway = start("maxSize: 4KiB, keep: 1")) {
            blockRotation();
            Eventually.that(
                    () -> {
                        gateway.modern().request("tools/list", Json.object());
                        return gateway.management("/health/ready").body().contains("calls continue");
                    },
                    () -> "the file is full and can't be put aside");
            assertEquals(200, gateway.management("/health/ready").status());
            ToolResult allowed = client(gateway, red).call("list_libraries", "{}");
            assertFalse(allowed.isError(), allowed.toString());
        }
    }

    private TestGateway start(String audit) {
        return TestGateway.start("""
                auth: {mode: keys}
                audit: {%s}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(audit), folder);
    }

    /** A folder that is not empty can't be replaced by a file. */
    private Path blockRotation() throws IOException {
        return Files.createDirectories(file().resolveSibling("audit.jsonl.1").resolve("something"));
    }

    private Path file() {
        return folder.resolve("data/audit/audit.jsonl");
    }

    private List<JsonNode> lines(int count) {
        Eventually.that(() -> read().size() >= count, () -> count + " lines; there are " + read());
        return read().stream().map(AuditOverHttpTest::json).toList();
    }

    private List<String> read() {
        return new GrowingFile(file()).lines();
    }

    private static double metric(TestGateway gateway, String name) {
        return gateway.management("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String summary(JsonNode line) {
        return line.path("tool").asText() + " " + line.path("decision").asText() + " "
                + line.path("outcome").asText();
    }

    private static JsonNode json(String line) {
        try {
            return Json.parse(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    private static String ping() {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    }

    private static McpTestClient client(TestGateway gateway, ApiKey key) {
        return gateway.modern()
                .with("Authorization", "Bearer " + key.text())
                .with("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
    }
}
