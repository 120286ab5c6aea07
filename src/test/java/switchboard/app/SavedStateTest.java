package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;

/** What a process that is restarted with its data folder goes on with: sessions, and what teams have used. */
class SavedStateTest {
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;

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
                    grants: ["vectordb:*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:*"]
                    limits: {callsPerDay: 5}
                """.formatted(red.sha256(), blue.sha256()));
    }

    @Test
    void aSessionGoesOnAfterARestartForItsOwnerOnly() throws IOException {
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            McpTestClient session = session(gateway, red);
            McpTestClient ended = session(gateway, red);
            assertEquals(204, ended.delete().status());
            assertEquals(
                    200,
                    session.request("logging/setLevel", Json.object().put("level", "debug"))
                            .status());
            assertEquals(
                    200,
                    session.request("resources/subscribe", Json.object().put("uri", "vectordb://x"))
                            .status());
            gateway.restart();

            assertEquals(1, gateway.app().endpoint().liveSessions());
            assertTrue(session.toolNames().contains("search"), "no new initialize");
            assertFalse(session.call("list_documents", "{}").isError());
            assertEquals(404, ended.request("ping", Json.object()).status());
            McpTestClient thief = session(gateway, blue).with("Mcp-Session-Id", session.session());
            assertEquals(404, thief.request("ping", Json.object()).status());
            gateway.restart();
            assertEquals(200, session.request("ping", Json.object()).status(), "and again");
            assertEquals(204, session.delete().status());
            gateway.restart();
            assertEquals(404, session.request("ping", Json.object()).status());
        }
    }

    @Test
    void whatIsSavedHoldsNeitherIdsNorKeysAndOpensNothing() throws IOException {
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            McpTestClient session = session(gateway, red);
            Path file = folder.resolve("state/sessions.jsonl");
            Eventually.that(() -> Files.exists(file), () -> "it is saved while the gateway runs");
            String saved = Files.readString(file);
            assertFalse(saved.contains(session.session()));
            assertFalse(saved.contains(red.text()));
            String key = Json.parse(saved.lines().findFirst().orElseThrow())
                    .path("key")
                    .asText();
            assertEquals(43, key.length());
            assertEquals(
                    404,
                    session.with("Mcp-Session-Id", key)
                            .request("ping", Json.object())
                            .status());
        }
    }

    @Test
    void theFirstStreamAfterARestartIsToldToListAgain() throws IOException {
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            McpTestClient session = session(gateway, red);
            assertEquals(
                    200,
                    session.request("resources/subscribe", Json.object().put("uri", "vectordb://x"))
                            .status());
            gateway.restart();
            try (RawHttp stream = standing(gateway, session)) {
                stream.readUntil("notifications/tools/list_changed");
                stream.readUntil("notifications/resources/list_changed");
                stream.readUntil("vectordb://x");
            }
            Eventually.that(() -> gateway.app().endpoint().openStreams() == 0, () -> "the stream is gone");
            try (RawHttp stream = standing(gateway, session)) {
                assertFalse(stream.toString().contains("list_changed"), "once is enough");
            }
        }
    }

    @Test
    void theCallsOfTheDayGoOn() throws IOException {
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            McpTestClient session = session(gateway, blue);
            for (int call = 0; call < 3; call++) {
                assertFalse(session.call("list_documents", "{}").isError());
            }
            gateway.restart();
            assertFalse(session.call("list_documents", "{}").isError());
            assertFalse(session.call("list_documents", "{}").isError());
            gateway.restart();
            assertEquals("OVERLOADED", session.call("list_documents", "{}").errorKind());
        }
    }

    @Test
    void damagedFilesAreLeftOut() throws IOException {
        Files.createDirectories(folder.resolve("state"));
        for (String damage : List.of("", "{", "[]", "null", "{\"sessions\":3,\"budgets\":{}}", """
                {"sessions":[{"key":"k"}],"budgets":[{"team":"blue","calls":"many"}]}""", """
                {"sessions":[{"key":"k","team":"red","id":"r1","view":"","version":"2025-11-25","created":9e30,\
                "expires":9223372036854775807}],"budgets":[{"team":"blue","key":"","day":1e300,"calls":1,"tokens":0,\
                "available":0,"atMillis":0}]}""")) {
            Files.writeString(folder.resolve("state/sessions.jsonl"), damage);
            Files.writeString(folder.resolve("state/budgets.json"), damage);
            try (TestGateway gateway = TestGateway.start(YAML, folder)) {
                assertEquals(
                        200,
                        session(gateway, blue).request("ping", Json.object()).status(),
                        damage);
            }
        }
        assertTrue(Files.size(folder.resolve("state/sessions.jsonl")) > 10, "and are replaced");
        assertTrue(Files.exists(folder.resolve("state/budgets.json.damaged")), "and stay for people to look at");
    }

    @Test
    void ofFilesAndSessionsTheDamagedOnesAreLeftOut() throws IOException {
        McpTestClient session;
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            session = session(gateway, blue);
            assertFalse(session.call("list_documents", "{}").isError());
        }
        Path sessions = folder.resolve("state/sessions.jsonl");
        Files.writeString(
                sessions,
                String.join(
                        "\n",
                        "{",
                        "{\"key\":\"k\",\"team\":\"red\",\"id\":\"r1\",\"view\":\"\",\"version\":\"1999-01-01\"}",
                        "[".repeat(200),
                        Files.readString(sessions)));
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            assertEquals(1, gateway.app().endpoint().liveSessions());
        }
        Files.writeString(sessions, "{");
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            McpTestClient again = session(gateway, blue);
            for (int call = 0; call < 4; call++) {
                assertFalse(again.call("list_documents", "{}").isError());
            }
            assertEquals("OVERLOADED", again.call("list_documents", "{}").errorKind(), "the good file was read");
        }
    }

    @Test
    void ofTwoProcessesOnAFolderTheFirstOneSaves() throws IOException {
        String other = """
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb, dataDir: other}}
                """;
        HandClock clock = HandClock.ticking(Instant.now());
        McpTestClient session;
        McpTestClient second;
        try (TestGateway owner = TestGateway.start(YAML, folder, clock)) {
            session = session(owner, red);
            try (TestGateway guest = TestGateway.start(other, folder, clock)) {
                second = session(guest, red);
                guest.restart();
                assertEquals(404, second.request("ping", Json.object()).status());
                assertEquals(0, guest.app().endpoint().liveSessions());
                owner.restart();
                assertEquals(200, session.request("ping", Json.object()).status(), "a restart is no end");
                second = session(guest, red);
                assertFalse(session(guest, blue).call("list_documents", "{}").isError());
                assertFalse(session(owner, blue).call("list_documents", "{}").isError());
                owner.app().close();
                clock.forward(Duration.ofMinutes(2));
                Eventually.that(() -> guest.app().endpoint().liveSessions() == 4, () -> "the guest takes over");
                guest.restart();
                assertEquals(200, second.request("ping", Json.object()).status());
                McpTestClient spender = session(guest, blue);
                for (int call = 0; call < 3; call++) {
                    assertFalse(spender.call("list_documents", "{}").isError());
                }
                assertEquals("OVERLOADED", spender.call("list_documents", "{}").errorKind(), "both were counted");
            }
        }
    }

    @Test
    void aKilledProcessLosesNoSessionThatIsASecondOld() throws IOException {
        GatewayProcess.Launch launch = new GatewayProcess.Launch(
                Files.writeString(folder.resolve("switchboard.yaml"), YAML), folder, "512m", Programs.freePort());
        McpTestClient session;
        try (GatewayProcess gateway = GatewayProcess.start(launch)) {
            session = McpTestClient.legacy(gateway.url(), McpTestClient.LEGACY, Map.of("X-API-Key", red.text()));
            assertFalse(session.call("list_documents", "{}").isError());
            Eventually.that(
                    () -> Files.exists(folder.resolve("state/sessions.jsonl"))
                            && Files.exists(folder.resolve("state/budgets.json")),
                    () -> "both are saved");
            gateway.kill();
        }
        try (GatewayProcess gateway = GatewayProcess.start(launch)) {
            assertFalse(session.call("list_documents", "{}").isError(), gateway.log());
        }
        try (Stream<Path> files = Files.list(folder.resolve("state"))) {
            assertEquals(
                    List.of("budgets.json", "lock", "sessions.jsonl"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    private static McpTestClient session(TestGateway gateway, ApiKey key) {
        return McpTestClient.legacy(gateway.url(), McpTestClient.LEGACY, Map.of("X-API-Key", key.text()));
    }

    private RawHttp standing(TestGateway gateway, McpTestClient session) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.get(
                        "/mcp",
                        "X-API-Key: " + red.text() + "\nMcp-Session-Id: " + session.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }
}
