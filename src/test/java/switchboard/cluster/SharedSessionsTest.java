package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.AskedClient;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;

/** Sessions over three replicas: what one has made, changed or ended is so on all. */
@Tag("engines")
class SharedSessionsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "shared", folder, "sessions: { max: 500 }");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    private static int ping(McpTestClient session) {
        return session.request("ping", Json.object()).status();
    }

    private static List<Integer> pingEverywhere(McpTestClient session) {
        List<Integer> statuses = IntStream.range(0, 3)
                .mapToObj(index -> {
                    replicas.proxy().to(index);
                    return ping(session);
                })
                .toList();
        replicas.proxy().inTurn();
        return statuses;
    }

    @Test
    void aSessionWorksOnEveryReplicaUntilItIsDeletedOnOne() {
        for (int ending = 0; ending < 3; ending++) {
            McpTestClient session = replicas.session(replicas.red());
            assertEquals(List.of(200, 200, 200), pingEverywhere(session));
            assertTrue(session.toolNames().contains("search"));
            replicas.proxy().to(ending);
            assertEquals(204, session.delete().status());
            assertEquals(List.of(404, 404, 404), pingEverywhere(session), "at once");
            assertEquals(404, session.delete().status());
        }
    }

    @Test
    void anotherTeamsSessionIsUnknownEverywhere() {
        McpTestClient session = replicas.session(replicas.red());
        McpTestClient thief = replicas.session(replicas.blue()).with("Mcp-Session-Id", session.session());
        assertEquals(List.of(404, 404, 404), pingEverywhere(thief));
        assertEquals(404, thief.delete().status());
        assertEquals(List.of(200, 200, 200), pingEverywhere(session));
        assertEquals(List.of(404, 404, 404), pingEverywhere(thief), "also where its owner has used it");
    }

    @Test
    void theTableHoldsNoIds() {
        McpTestClient session = replicas.session(replicas.red());
        String rows = postgres.sql("SELECT * FROM shared.session");
        assertFalse(rows.contains(session.session()));
        String key = postgres.sql("SELECT key FROM shared.session LIMIT 1").strip();
        assertEquals(43, key.length());
        assertEquals(404, ping(replicas.session(replicas.red()).with("Mcp-Session-Id", key)));
    }

    @Test
    void idsThatNobodyMadeAreUnknown() {
        McpTestClient session = replicas.session(replicas.red());
        for (String id : List.of("x", "a".repeat(32), "'; DROP TABLE session; --", "%00", "a".repeat(4000))) {
            assertEquals(List.of(404, 404, 404), pingEverywhere(session.with("Mcp-Session-Id", id)), id);
        }
    }

    @Test
    void aChangeIsKnownToTheReplicasThatHaveACopy() {
        replicas.proxy().to(0);
        McpTestClient session = McpTestClient.legacy(replicas.url("fixture"), McpTestClient.LEGACY, replicas.red());
        for (int round = 0; round < 5; round++) {
            replicas.proxy().inTurn();
            for (String level : List.of("emergency", "debug")) {
                assertEquals(
                        200,
                        session.request("logging/setLevel", Json.object().put("level", level))
                                .status());
                for (int index = 0; index < 3; index++) {
                    replicas.proxy().to(index);
                    // A change is answered when the others know it, or after a quarter of a second.
                    Eventually.that(
                            () -> session.request("tools/call", Json.object().put("name", "test_tool_with_logging"))
                                            .body()
                                            .contains("notifications/message")
                                    == level.equals("debug"),
                            () -> level);
                }
                replicas.proxy().inTurn();
            }
        }
    }

    @Test
    void changesOnSeveralReplicasAreAllKept() {
        McpTestClient session = replicas.session(replicas.red());
        for (int number = 0; number < 30; number++) {
            assertEquals(
                    200,
                    session.request("resources/subscribe", Json.object().put("uri", "vectordb://\u0000/" + number))
                            .status());
        }
        String state = postgres.sql("SELECT state FROM shared.session ORDER BY length(state) DESC LIMIT 1");
        for (int number = 0; number < 30; number++) {
            assertTrue(state.contains("vectordb://\\u0000/" + number + "\""), state);
        }
    }

    @Test
    void aSessionExpiresByTheDatabasesClock() {
        McpTestClient session = replicas.session(replicas.red());
        McpTestClient other = replicas.session(replicas.red());
        assertEquals(List.of(200, 200, 200), pingEverywhere(session));
        String key = Base64.encodeBase64URLSafeString(DigestUtils.sha256(session.session()));
        List<Integer> copies = copies();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    postgres.sql("UPDATE shared.session SET last_used = now() - interval '2 hours' WHERE key = '" + key
                            + "'");
                    return copies().equals(
                                    copies.stream().map(count -> count - 1).toList());
                },
                () -> "the copies go: " + copies + " " + copies());
        assertEquals(List.of(404, 404, 404), pingEverywhere(session));
        assertEquals(List.of(200, 200, 200), pingEverywhere(other));
    }

    private static List<Integer> copies() {
        return IntStream.range(0, 3)
                .mapToObj(index -> replicas.gateway(index).app().endpoint().liveSessions())
                .toList();
    }

    @Test
    void aQuestionIsAnsweredThroughAnotherReplica() {
        try (AskedClient asked = new AskedClient(replicas.url("fixture"), replicas.red(), "violet")) {
            for (int call = 0; call < 6; call++) {
                String text = asked.call("test_elicitation", Json.object()).text();
                assertTrue(text.contains("violet"), text);
            }
        }
    }

    @Test
    void aCallIsCancelledThroughAnotherReplica() {
        replicas.proxy().to(0);
        McpTestClient session = replicas.able("fixture", replicas.red());
        String call = """
                {"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"?"}}}""";
        try (RawHttp stream = new RawHttp(replicas.gateway(1).url().getPort())) {
            stream.post(
                    "/mcp/fixture",
                    Replicas.lines(replicas.red(), session, "application/json, text/event-stream"),
                    call);
            stream.readUntil("elicitation/create");
            replicas.proxy().to(2);
            assertEquals(
                    202,
                    session.notify("notifications/cancelled", Json.object().put("requestId", "c"))
                            .status());
            assertFalse(stream.readUntil("\r\n0\r\n").contains("\"result\""), "it ends without an answer");
        }
        replicas.proxy().inTurn();
    }
}
