package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;

/** What comes in on one replica and belongs to another: streams, questions and their answers, HTTP+SSE. */
@Tag("engines")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedMessagesTest {
    private static final String EITHER = "application/json, text/event-stream";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "messages", folder, "");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    @AfterEach
    void inTurn() {
        replicas.proxy().inTurn();
    }

    private static McpTestClient session(int index) {
        replicas.proxy().to(index);
        return replicas.able("fixture", replicas.red());
    }

    private static String streamNode() {
        return postgres.sql("SELECT n.name FROM messages.session s JOIN messages.node n ON n.id = s.stream_node")
                .strip();
    }

    private static String match(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    private static double heardOf(String name) {
        return Double.parseDouble(
                postgres.sql("SELECT extract(epoch FROM seen) FROM messages.node WHERE name = '" + name + "'")
                        .strip());
    }

    /** Each message that is read makes the next one, so there is always one more. */
    @Test
    void aNodeThatAlwaysHasMessagesToReadStillSaysThatItRuns() {
        postgres.sql("""
                CREATE FUNCTION messages.again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO messages.message (target, kind, session, body) VALUES (OLD.target, 'cancel', 'flood', '{}');
                  RETURN NULL; END $$;
                CREATE TRIGGER again AFTER DELETE ON messages.message FOR EACH ROW
                  WHEN (OLD.session = 'flood') EXECUTE FUNCTION messages.again();
                INSERT INTO messages.message (target, kind, session, body)
                  SELECT id, 'cancel', 'flood', '{}' FROM messages.node WHERE name = 'replica-2'""");
        try {
            double first = heardOf("replica-2");
            Eventually.within(
                    Duration.ofSeconds(20),
                    () -> heardOf("replica-2") > first + 5,
                    () -> "not heard of since " + first);
        } finally {
            postgres.sql("DROP TRIGGER again ON messages.message");
        }
    }

    @Test
    void aQuestionGoesToTheStreamOnAnotherReplicaAndItsAnswerComesByAThird() {
        McpTestClient session = session(0);
        try (RawHttp stream = replicas.stream(1, session);
                RawHttp call = replicas.on(2)) {
            Eventually.that(() -> streamNode().equals("replica-1"), SharedMessagesTest::streamNode);
            call.post("/mcp/fixture", Replicas.lines(replicas.red(), session, "application/json"), """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}""");
            String asked = stream.readUntil("elicitation/create");
            String id = match(asked, "\"id\":\"(switchboard-[^\"]+)\"");
            replicas.proxy().to(0);
            String answer = """
                    {"jsonrpc":"2.0","id":"%s","result":{"action":"accept","content":{"username":"umber"}}}""".formatted(id);
            assertEquals(202, session.post(answer, Map.of()).status());
            assertTrue(call.readUntil("umber").contains("\"id\":7"));
        }
    }

    @Test
    void aStreamThatIsOpenedOnAnotherReplicaReplacesTheOneBefore() {
        McpTestClient session = session(0);
        try (RawHttp first = replicas.stream(0, session)) {
            // A gateway notes its stream after the client has it; of two that are noted at the same time the later note
            // stays.
            Eventually.that(() -> streamNode().equals("replica-0"), SharedMessagesTest::streamNode);
            try (RawHttp second = replicas.stream(2, session)) {
                second.readUntil("notifications/tools/list_changed");
                first.readUntil("\r\n0\r\n");
                Eventually.that(() -> streamNode().equals("replica-2"), SharedMessagesTest::streamNode);
                replicas.proxy().to(1);
                assertEquals(204, session.delete().status());
                second.readUntil("\r\n0\r\n");
            }
        }
    }

    @Test
    void postsOfHttpSseReachTheReplicaWithTheStream() {
        String key = "X-API-Key: " + replicas.red().get("X-API-Key") + "\n";
        String path;
        try (RawHttp stream = replicas.on(0)) {
            stream.get("/sse", key + "Accept: text/event-stream\n");
            path = match(stream.readUntil("sessionId="), "data: ?(\\S+)");
            path = path.length() < 32 ? match(stream.readUntil("\n\n"), "data: ?(\\S+)") : path;
            for (int index = 2; index >= 0; index--) {
                try (RawHttp post = replicas.on(index)) {
                    post.post(path, key, """
                            {"jsonrpc":"2.0","id":"p%d","method":"ping"}""".formatted(index));
                    assertEquals(202, post.status());
                }
                stream.readUntil("\"p" + index + "\"");
            }
            try (RawHttp thief = replicas.on(1)) {
                thief.post(path, "X-API-Key: " + replicas.blue().get("X-API-Key") + "\n", """
                        {"jsonrpc":"2.0","id":1,"method":"ping"}""");
                assertEquals(404, thief.status());
            }
        }
        String gone = path;
        Eventually.that(
                () -> {
                    try (RawHttp post = replicas.on(2)) {
                        post.post(gone, key, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
                        return post.status() == 404;
                    }
                },
                () -> "the session ends with its stream");
    }

    @Test
    void anAnswerToAQuestionOfANodeThatIsGoneIsTakenAndDropped() {
        McpTestClient session = session(0);
        replicas.proxy().inTurn();
        for (String id : new String[] {"switchboard-abcdef012345-1-1", "switchboard-1-1", "x", ""}) {
            String answer = "{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"result\":{}}";
            assertEquals(202, session.post(answer, Map.of("Accept", EITHER)).status(), id);
        }
        assertEquals("0", postgres.sql("SELECT count(*) FROM messages.message").strip());
    }
}
