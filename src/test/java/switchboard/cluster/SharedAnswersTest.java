package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.session.SessionStore;
import switchboard.testing.Eventually;
import switchboard.testing.HeldAnswers;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;
import switchboard.testing.ResumingClient;

/** A client whose connection broke comes back on another replica for the rest of an answer. */
@Tag("engines")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedAnswersTest {
    private static final String PROGRESS = "test_tool_with_progress";
    private static final String RESUME =
            "sessions: { resume: { after: 1ms, retry: 10ms, keep: 10m, messages: 100, size: 256KiB } }";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "answers", folder, RESUME);
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    private static HeldAnswers held() {
        return new HeldAnswers(replicas.fixture(), UnaryOperator.identity());
    }

    private static HeldAnswers held(String text) {
        return new HeldAnswers(replicas.fixture(), result -> saying(result, text));
    }

    private static ObjectNode saying(ObjectNode result, String text) {
        ObjectNode changed = result.deepCopy();
        changed.putArray("content").addObject().put("type", "text").put("text", text);
        return changed;
    }

    private static ResumingClient red() {
        return new ResumingClient(replicas, 0, replicas.red());
    }

    private static long messages() {
        return Long.parseLong(
                postgres.sql("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM answers.message_id_seq")
                        .strip());
    }

    /** Calls on replica 0 and loses the connection; returns the id before the first message. */
    private static String broken(ResumingClient client, String id) {
        RawHttp call = client.call(0, id, PROGRESS);
        String first = ResumingClient.ids(call.readUntil("\"progress\":100")).getFirst();
        call.reset();
        return first;
    }

    private static void assertNothingWaits() {
        Eventually.that(
                () -> postgres.sql("SELECT count(*) FROM answers.message")
                        .strip()
                        .equals("0"),
                () -> "every message is taken");
    }

    @Test
    void theRestOfACallThatRunsElsewhereComesOnce() {
        ResumingClient client = red();
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                held.release();
                String stream = rest.readAll();
                assertTrue(stream.contains("\"id\":7,\"result\""), stream);
                List<String> ids = ResumingClient.ids(stream);
                assertEquals(first, ids.getFirst(), stream);
                assertEquals(5, ids.size(), stream);
                assertEquals(5, Set.copyOf(ids).size(), stream);
                try (RawHttp again = client.resume(2, ids.get(3))) {
                    String last = again.readAll();
                    assertEquals(List.of(ids.get(3), ids.get(4)), ResumingClient.ids(last));
                    assertTrue(last.contains("All of it.") && !last.contains("progress"), last);
                }
                try (RawHttp nothing = client.resume(2, ids.get(4))) {
                    assertEquals(List.of(ids.get(4)), ResumingClient.ids(nothing.readAll()));
                }
            }
        }
        assertNothingWaits();
    }

    @Test
    void anAnswerThatCameWhileNobodyReadIsThereOnEachReplica() {
        ResumingClient client = red();
        String first;
        try (HeldAnswers held = held()) {
            first = broken(client, "\"näme\"");
            held.release();
        }
        for (int index : new int[] {2, 1, 0, 2}) {
            try (RawHttp rest = client.resume(index, first)) {
                String stream = rest.readUntil("All of it.");
                assertTrue(stream.contains("\"id\":\"näme\""), stream);
                assertEquals(5, ResumingClient.ids(rest.readAll()).size());
            }
        }
    }

    @Test
    void aLargeAnswerComesWholeAndATooLargeOneIsToldSo() throws IOException {
        String text = "äöü€😀\\\"\n".repeat(9_000);
        assertTrue(text.getBytes(StandardCharsets.UTF_8).length > 140_000);
        ResumingClient client = red();
        try (HeldAnswers held = held(text)) {
            String first = broken(client, "1");
            held.release();
            try (RawHttp rest = client.resume(1, first)) {
                String stream = rest.readAll();
                String json = stream.lines()
                        .filter(line -> line.startsWith("data: {\"jsonrpc\":\"2.0\",\"id\":1"))
                        .findFirst()
                        .orElseThrow()
                        .substring("data: ".length());
                String came = Json.parse(json).at("/result/content/0/text").asText();
                assertTrue(text.equals(came), () -> came.length() + " characters came");
            }
        }
        try (HeldAnswers held = held("x".repeat(300_000))) {
            String first = broken(client, "2");
            held.release();
            try (RawHttp rest = client.resume(2, first)) {
                String stream = rest.readAll();
                assertTrue(stream.contains("\"id\":2,\"error\""), stream);
                assertTrue(stream.contains("ask again"), stream);
            }
        }
    }

    @Test
    void onlyTheSessionThatAskedMayComeBack() {
        ResumingClient client = red();
        ResumingClient other = red();
        ResumingClient blue = new ResumingClient(replicas, 1, replicas.blue());
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            long before = messages();
            for (ResumingClient stranger : List.of(other, blue)) {
                try (RawHttp answer = stranger.resume(1, first)) {
                    assertEquals(400, answer.status());
                }
            }
            String[] parts = first.split("\\.");
            for (String unknown : List.of(
                    "1-1",
                    "1-1." + parts[1] + "." + parts[2] + "." + parts[3],
                    parts[0] + ".0123456789ab." + parts[2] + "." + parts[3],
                    parts[0] + "." + parts[1] + ".OA." + parts[3],
                    first + "x",
                    parts[0] + "." + parts[1],
                    "nonsense")) {
                try (RawHttp answer = client.resume(1, unknown)) {
                    assertEquals(400, answer.status(), unknown);
                }
            }
            assertEquals(before, messages(), "nobody is asked about what can't be an id of the session");
            McpTestClient stolen = client.session();
            try (RawHttp thief = new RawHttp(replicas.gateway(1).url().getPort())) {
                thief.get(
                        "/mcp/fixture",
                        Replicas.lines(replicas.blue(), stolen, "text/event-stream") + "Last-Event-ID: " + first
                                + "\n");
                assertEquals(404, thief.status());
            }
            held.release();
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("All of it.");
            }
        }
    }

    @Test
    void ofTwoReplicasTheLaterOneReads() {
        ResumingClient client = red();
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            try (RawHttp one = client.resume(1, first)) {
                one.readUntil("\"progress\":100");
                try (RawHttp two = client.resume(2, first)) {
                    two.readUntil("\"progress\":100");
                    assertFalse(one.readAll().contains("All of it."));
                    try (RawHttp here = client.resume(0, first)) {
                        here.readUntil("\"progress\":100");
                        assertFalse(two.readAll().contains("All of it."));
                        try (RawHttp back = client.resume(1, first)) {
                            back.readUntil("\"progress\":100");
                            assertFalse(here.readAll().contains("All of it."));
                            held.release();
                            assertTrue(back.readAll().contains("All of it."));
                        }
                    }
                }
            }
        }
    }

    @Test
    void aResumedStreamThatBreaksIsResumedAgain() {
        ResumingClient client = red();
        try (HeldAnswers held = held()) {
            String last = broken(client, "7");
            for (int index : new int[] {1, 2, 1, 0, 2}) {
                RawHttp broken = client.resume(index, last);
                String seen = broken.readUntil("\r\n\r\n");
                assertEquals(200, broken.status(), seen);
                last = ResumingClient.ids(broken.readUntil("id: ") + broken.readUntil("\ndata"))
                        .getLast();
                broken.reset();
            }
            held.release();
            try (RawHttp rest = client.resume(1, last)) {
                assertTrue(rest.readAll().contains("All of it."));
            }
        }
        assertNothingWaits();
    }

    @Test
    void theEndOfTheSessionIsNotTheEndOfTheLastReader() {
        ResumingClient client = red();
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                replicas.proxy().to(2);
                assertEquals(204, client.session().delete().status());
                replicas.proxy().inTurn();
                held.release();
                assertTrue(rest.readAll().contains("All of it."));
            }
            try (RawHttp late = client.resume(1, first)) {
                assertEquals(404, late.status());
            }
        }
    }

    private static void resumeMessage(String first, McpTestClient session, String reader, boolean over) {
        String[] position = first.split("[-.]");
        postgres.sql("""
                INSERT INTO answers.message (target, kind, session, body) SELECT '%s', 'resume', '%s',
                '{"reader":"%s","node":"' || id || '","stream":%s,"after":0,"partial":0,"bytes":0,"over":%s}'
                FROM answers.node WHERE name = 'replica-2'""".formatted(position[2], SessionStore.key(session.session()), reader, position[0], over));
    }

    /** What a client that is gone had asked for may arrive after the word that it is gone. */
    @Test
    void whatAReaderAskedBeforeItLeftDoesNotTakeTheStreamFromTheNextOne() {
        ResumingClient client = red();
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            resumeMessage(first, client.session(), "gone", true);
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                resumeMessage(first, client.session(), "gone", false);
                assertNothingWaits();
                held.release();
                assertTrue(rest.readAll().contains("All of it."));
            }
        }
    }

    @Test
    void anAnswerThatNobodyResumesElsewhereCostsNothing() {
        ResumingClient client = red();
        long before = messages();
        try (HeldAnswers held = held()) {
            String first = broken(client, "7");
            try (RawHttp rest = client.resume(0, first)) {
                rest.readUntil("\"progress\":100");
                held.release();
                assertTrue(rest.readAll().contains("All of it."));
            }
        }
        assertEquals(before, messages());
    }
}
