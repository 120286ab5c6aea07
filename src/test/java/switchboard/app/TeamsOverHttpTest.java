package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** Keys, grants, views and limits of teams, as a client meets them. */
class TeamsOverHttpTest {
    private final ApiKey readers = ApiKey.generate(new SecureRandom());
    private final ApiKey writers = ApiKey.generate(new SecureRandom());
    private final ApiKey expired = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys:
                      - {id: r1, sha256: %s}
                      - {id: r0, sha256: %s, expires: 2020-01-01}
                    grants: ["vectordb:read,search,embed:public-*"]
                    views: [vectordb]
                  writers:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["vectordb:*"]
                    limits: {callsPerSecond: 1, burst: 50}
                """.formatted(readers.sha256(), expired.sha256(), writers.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void withoutAGoodKeyNobodyGetsIn() {
        for (String key : List.of("", "sb_x_y", expired.text(), readers.text() + "x")) {
            McpTestClient client = McpTestClient.modern(gateway.url("vectordb"));
            if (!key.isEmpty()) {
                client.with("Authorization", "Bearer " + key);
            }
            HttpReply reply = client.request("tools/list", Json.object());
            assertEquals(401, reply.status(), key);
            assertTrue(reply.header("WWW-Authenticate").startsWith("Bearer realm="), reply.toString());
            assertEquals(-32600, reply.json().path("error").path("code").asInt());
            assertFalse(reply.body().contains("sb_x_y"), "the key is not shown");
            client.close();
        }
    }

    @Test
    void aTeamSeesExactlyWhatItMayUse() {
        List<String> names = client(readers, "vectordb").toolNames();
        assertEquals(List.of("get_document", "list_documents", "list_libraries", "search"), names);
    }

    @Test
    void anotherViewDoesNotExistForIt() {
        HttpReply reply = McpTestClient.modern(gateway.url())
                .with("X-API-Key", readers.text())
                .request("tools/list", Json.object());
        assertEquals(404, reply.status());
    }

    @Test
    void aToolItMayNotUseIsUnknownAndAForbiddenLibraryIsDenied() {
        McpTestClient client = client(readers, "vectordb");
        JsonNode error = client.request("tools/call", Json.object().put("name", "delete_document"))
                .json()
                .path("error");
        assertEquals(-32602, error.path("code").asInt());
        ToolResult denied = client.call("search", "{\"query\":\"x\",\"library\":\"secret\"}");
        assertEquals("DENIED", denied.errorKind(), denied.toString());
        // It may use this one, which is not there yet.
        ToolResult allowed = client.call("search", "{\"query\":\"x\",\"library\":\"public-a\"}");
        assertEquals("NOT_FOUND", allowed.errorKind(), allowed.toString());
        assertFalse(client.call("list_documents", "{\"library\":\"public-a\"}").isError());
    }

    @Test
    void overTheRateIs429WithATimeToComeBackAndABatchCountsAsItsRequests() {
        String batch = batch(50);
        assertEquals(200, client(writers, "vectordb").post(batch, Map.of()).status());
        HttpReply refused = client(writers, "vectordb").post(batch, Map.of());
        assertEquals(429, refused.status());
        int seconds = Integer.parseInt(refused.header("Retry-After"));
        assertTrue(seconds >= 1 && seconds <= 50, refused.toString());
        JsonNode error = refused.json().path("error");
        assertTrue(error.path("data").path("retryAfterMs").asLong() > 0, refused.body());
        assertEquals(200, client(readers, "vectordb").post(batch, Map.of()).status());
    }

    @Test
    void aBatchThatCanNeverFitIsToldToSplit() {
        HttpReply refused = client(writers, "vectordb").post(batch(51), Map.of());
        assertEquals(400, refused.status());
        assertTrue(
                refused.body().contains("the limit burst of your team lets through at once. Split it."),
                refused.body());
    }

    private static String batch(int pings) {
        return IntStream.rangeClosed(1, pings)
                .mapToObj("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
    }

    @AsksForErrors("FileReloader - teams.yaml")
    @Test
    void aChangedFileIsInForceSoonAndEndsTheSessionsOfRevokedKeys() throws IOException {
        McpTestClient session = McpTestClient.legacy(
                gateway.url("vectordb"), McpTestClient.LEGACY, Map.of("X-API-Key", writers.text()));
        assertEquals(1, gateway.app().endpoint().liveSessions());
        Files.writeString(folder.resolve("teams.yaml"), "teams: {readers: {grants: [nonsense]}}");
        Eventually.that(
                () -> gateway.management("/metrics").body().contains("switchboard_teams_reload_failed 1"),
                () -> "the broken file is noticed");
        assertEquals(200, session.request("ping", Json.object()).status(), "the old teams stay");
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(readers.sha256()));
        Eventually.that(() -> gateway.app().endpoint().liveSessions() == 0, () -> "the session has ended");
        assertEquals(401, session.request("ping", Json.object()).status());
        assertTrue(client(readers, "vectordb").toolNames().contains("delete_document"));
    }

    private McpTestClient client(ApiKey key, String view) {
        return gateway.modern(view).with("Authorization", "Bearer " + key.text());
    }
}
