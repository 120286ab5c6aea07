package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Limits that are about bytes and tokens, as callers meet them. */
class LimitsOverHttpTest {
    private static final int BODY = 400 * 1024;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey narrow = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys:
                      - {id: r1, sha256: %s}
                      - {id: r2, sha256: %s, limits: {resultSize: 1KiB}}
                    grants: ["vectordb:*"]
                    limits: {resultSize: 4KiB}
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:*"]
                    limits: {tokensPerDay: 300}
                """.formatted(red.sha256(), narrow.sha256(), blue.sha256()));
        gateway = TestGateway.start("""
                server: {maxBodySize: 512KiB}
                limits: {bodies: 1MiB}
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
    void aResultThatIsTooLargeForTheTeamOrTheKeySaysSo() {
        String id = ingest(client(red), 1_200);
        assertFalse(document(client(red), id).isError());
        ToolResult refused = document(client(narrow), id);
        assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused.toString());
        assertEquals(1024, refused.error().path("maxBytes").asInt());
        String large = ingest(client(red), 6_000);
        assertEquals(4096, document(client(red), large).error().path("maxBytes").asInt());
    }

    @Test
    void whenADaysTokensAreUsedUpCallsAreRefusedWithTheTimeUntilMidnight() {
        McpTestClient client = client(blue);
        assertFalse(client.call("ingest_text", "{\"content\":\"stone\"}").isError());
        Eventually.that(
                () -> client.call("list_documents", "{}").errorKind().equals("OVERLOADED"),
                () -> "the day's tokens are used up");
        ToolResult refused = client.call("list_documents", "{}");
        assertTrue(refused.text().contains("tokensPerDay of your team"), refused.text());
        assertTrue(refused.error().path("retryAfterMs").asLong() > 0, refused.toString());
    }

    @Test
    void bodiesOfATeamThatAreInMemoryAtOnceAreBounded() {
        try (RawHttp unfinished = new RawHttp(gateway.url().getPort())) {
            unfinished.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:"
                    + gateway.url().getPort() + "\nContent-Type: application/json\nX-API-Key: " + red.text()
                    + "\nContent-Length: " + (BODY + 1) + "\n\n" + " ".repeat(BODY));
            // Before all of it has arrived, the next body could be the first to find room.
            Eventually.that(() -> bytesOfBodies() == BODY, () -> "in memory: " + bytesOfBodies());
            HttpReply refused = padded(red);
            assertEquals(503, refused.status(), refused.toString());
            assertEquals("1", refused.header("Retry-After"), refused.toString());
            assertEquals(200, padded(blue).status(), "another team has room");
        }
        Eventually.that(() -> padded(red).status() == 200, () -> "there is room again");
        Eventually.that(() -> bytesOfBodies() == 0, () -> "in memory: " + bytesOfBodies());
    }

    private double bytesOfBodies() {
        return gateway.management("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("switchboard_http_request_bodies_bytes "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    /** A ping in a large body. */
    private HttpReply padded(ApiKey key) {
        return client(key).post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" + " ".repeat(BODY), Map.of());
    }

    private static String ingest(McpTestClient client, int characters) {
        ToolResult stored = client.call(
                "ingest_text",
                "{\"content\":\"" + "stone ".repeat(characters / 6) + "\",\"source\":\"" + characters + "\"}");
        return stored.structured().path("doc_id").asText();
    }

    private static ToolResult document(McpTestClient client, String id) {
        return client.call("get_document", "{\"doc_id\":\"" + id + "\",\"max_chars\":" + 1_000_000 + "}");
    }

    private McpTestClient client(ApiKey key) {
        return gateway.modern().with("X-API-Key", key.text());
    }
}
