package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;

/** A key that is replaced under its id is gone: its streams and sessions end, and its successor has no part in them. */
class ReplacedKeyTest {
    private static final String LISTEN = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
            + "{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{"
            + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

    private final ApiKey old = ApiKey.generate(new SecureRandom());
    private final ApiKey next = ApiKey.generate(new SecureRandom());
    private final ApiKey other = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        teams(old);
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

    private void teams(ApiKey key) throws IOException {
        ReplacedFile.write(folder.resolve("teams.yaml"), """
                teams:
                  team:
                    keys: [{id: k1, sha256: %s}, {id: k2, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(key.sha256(), other.sha256()));
    }

    @Test
    void itsStreamsAndSessionsEnd() throws IOException {
        McpTestClient session = session(old);
        McpTestClient colleague = session(other);
        try (RawHttp listening = listen(old);
                RawHttp standing = standing(old, session);
                RawHttp others = listen(other)) {
            assertEquals(3, gateway.app().endpoint().openStreams());
            teams(next);
            Eventually.that(() -> gateway.app().endpoint().openStreams() == 1, () -> "the old key's streams end");
            Eventually.that(() -> gateway.app().endpoint().liveSessions() == 1, () -> "and so does its session");
            listening.readUntil("\"result\"");
            standing.readUntil("\r\n0\r\n\r\n");
            assertEquals(401, session.request("ping", Json.object()).status());
            HttpReply taken = session.with("X-API-Key", next.text()).request("ping", Json.object());
            assertEquals(404, taken.status(), "the successor has no part in the session");
            assertEquals(200, colleague.request("ping", Json.object()).status());
            assertFalse(others.toString().isEmpty());
        }
        assertEquals(200, session(next).request("ping", Json.object()).status());
    }

    @Test
    void aFileThatSaysTheSameEndsNothing() throws IOException {
        McpTestClient session = session(old);
        try (RawHttp listening = listen(old)) {
            teams(old);
            ReplacedFile.write(
                    folder.resolve("teams.yaml"), "# rewritten\n" + Files.readString(folder.resolve("teams.yaml")));
            gateway.app().reload();
            assertEquals(1, gateway.app().endpoint().openStreams());
            assertEquals(200, session.request("ping", Json.object()).status());
            assertFalse(listening.toString().isEmpty());
        }
    }

    private McpTestClient session(ApiKey key) {
        return McpTestClient.legacy(gateway.url("vectordb"), McpTestClient.LEGACY, Map.of("X-API-Key", key.text()));
    }

    private RawHttp listen(ApiKey key) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.post(
                        "/mcp/vectordb",
                        "X-API-Key: " + key.text()
                                + "\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: subscriptions/listen\n"
                                + "Accept: application/json, text/event-stream\n",
                        LISTEN)
                .readUntil("acknowledged");
        return stream;
    }

    private RawHttp standing(ApiKey key, McpTestClient session) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.get(
                        "/mcp/vectordb",
                        "X-API-Key: " + key.text() + "\nMcp-Session-Id: " + session.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }
}
