package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;

/** What the shared row of a session says, and what each replica makes of it. */
@Tag("engines")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedRowsTest {
    private static final String ELICITATION = """
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}""";

    private static final int PATIENCE_MS = 500;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "rows", folder, "");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    /** A session that is made on one replica, and used on no other. */
    private static McpTestClient session(int index) {
        replicas.proxy().to(index);
        return replicas.able("fixture", replicas.red());
    }

    private static String key(McpTestClient session) {
        return Base64.encodeBase64URLSafeString(DigestUtils.sha256(session.session()));
    }

    /** The replica with the stream of a session, or what else its row says. */
    private static String streamNode(McpTestClient session) {
        return postgres.sql("SELECT coalesce(n.name, s.stream_node, 'none') FROM rows.session s"
                        + " LEFT JOIN rows.node n ON n.id = s.stream_node WHERE s.key = '" + key(session) + "'")
                .strip();
    }

    private static void streamBecomes(McpTestClient session, String node) {
        Eventually.that(() -> streamNode(session).equals(node), () -> streamNode(session));
    }

    private static void rowSays(McpTestClient session, String node) {
        postgres.sql("UPDATE rows.session SET stream_node = '" + node + "' WHERE key = '" + key(session) + "'");
    }

    private static String idOf(String replica) {
        return postgres.sql("SELECT id FROM rows.node WHERE name = '" + replica + "'")
                .strip();
    }

    private static void subscribe(int index, McpTestClient session, String uri) {
        replicas.proxy().to(index);
        assertEquals(
                200,
                session.request("resources/subscribe", Json.object().put("uri", uri))
                        .status());
    }

    private static void fixtureIsAskedFor(String uri) {
        Eventually.that(
                () -> replicas.fixture().subscribed().contains(uri),
                () -> "asked for " + replicas.fixture().subscribed());
    }

    private static String updated(String uri) {
        return "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"" + uri + "\"}";
    }

    @Test
    void whatIsSubscribedToThroughAnotherReplicaIsWatchedWhereTheStreamIs() {
        String uri = "test://watched-resource";
        McpTestClient session = session(0);
        try (RawHttp stream = replicas.stream(1, session)) {
            streamBecomes(session, "replica-1");
            subscribe(0, session, uri);
            fixtureIsAskedFor(uri);
            replicas.fixture().updated(uri);
            stream.readUntil(updated(uri));
        }
    }

    @Test
    void whatChangesBetweenStreamsOnTwoReplicasIsNotLost() {
        String uri = "test://static-text";
        McpTestClient session = session(2);
        try (RawHttp stream = replicas.stream(1, session)) {
            streamBecomes(session, "replica-1");
            subscribe(1, session, uri);
            fixtureIsAskedFor(uri);
            assertEquals(200, stream.status());
        }
        streamBecomes(session, "none");
        replicas.fixture().updated(uri);
        try (RawHttp stream = replicas.stream(2, session)) {
            stream.readUntil("notifications/tools/list_changed");
            stream.readUntil(updated(uri));
        }
    }

    @Test
    void theFirstStreamWhereASessionWasMadeIsNotToldToListAgain() {
        String uri = "test://static-binary";
        McpTestClient session = session(0);
        subscribe(0, session, uri);
        try (RawHttp stream = replicas.stream(0, session)) {
            fixtureIsAskedFor(uri);
            streamBecomes(session, "replica-0");
            replicas.fixture().updated(uri);
            assertFalse(stream.readUntil(updated(uri)).contains("list_changed"));
        }
    }

    @Test
    void aStreamWhoseRowNamesAReplicaThatIsGoneIsWrittenDownAgain() {
        McpTestClient session = session(0);
        try (RawHttp stream = replicas.stream(0, session)) {
            streamBecomes(session, "replica-0");
            rowSays(session, "gone");
            streamBecomes(session, "replica-0");
            assertEquals(200, stream.status());
        }
        streamBecomes(session, "none");
    }

    @Test
    void aRowThatNamesAReplicaWithoutTheStreamIsPutRight() {
        McpTestClient session = session(0);
        rowSays(session, idOf("replica-0"));
        streamBecomes(session, "none");
    }

    @Test
    void aStreamEndsWhenItsRowNamesAnotherReplica() {
        McpTestClient session = session(0);
        try (RawHttp stream = replicas.stream(0, session)) {
            streamBecomes(session, "replica-0");
            rowSays(session, idOf("replica-1"));
            stream.readUntil("\r\n0\r\n");
        }
    }

    @Test
    void aClientWhoseStreamWasOnAReplicaThatIsGoneIsNotAsked() {
        McpTestClient session = session(0);
        rowSays(session, "gone");
        try (RawHttp call = replicas.on(2)) {
            call.post("/mcp/fixture", Replicas.lines(replicas.red(), session, "application/json"), ELICITATION);
            call.readUntil("\"id\":7");
        }
    }

    @Test
    void aReadThatBeginsBeforeAChangeIsWrittenDoesNotTakeItBack() throws Exception {
        McpTestClient session = session(0);
        try (Connection held = connect();
                Connection own = connect();
                Statement statement = own.createStatement()) {
            statement.execute("LISTEN rows_notices");
            lock(held, key(session));
            CompletableFuture<HttpReply> change = CompletableFuture.supplyAsync(
                    () -> session.request("logging/setLevel", Json.object().put("level", "debug")));
            Eventually.that(
                    () -> !postgres.sql(
                                    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT state FROM%'")
                            .isBlank(),
                    () -> "the change waits for the row");
            statement.execute("SELECT pg_notify('rows_notices', 'changed 1 another " + key(session) + "')");
            answered(own, "read 1 another " + idOf("replica-0"));
            held.commit();
            assertEquals(200, change.get(30, TimeUnit.SECONDS).status());
        }
        HttpReply reply = session.request("tools/call", Json.object().put("name", "test_tool_with_logging"));
        assertTrue(reply.body().contains("notifications/message"), reply::body);
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + postgres.database(), postgres.superuser(), "");
    }

    private static void lock(Connection connection, String key) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM rows.session WHERE key = '" + key + "' FOR UPDATE");
        }
    }

    /** Waits until a replica has read, or for a moment: one that first writes answers later. */
    private static void answered(Connection connection, String notice) throws SQLException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (System.nanoTime() < end) {
            PGNotification[] received = connection.unwrap(PGConnection.class).getNotifications(PATIENCE_MS);
            if (received != null
                    && Arrays.stream(received)
                            .anyMatch(one -> one.getParameter().equals(notice))) {
                return;
            }
        }
    }

    @Test
    void aStatementThatIsRefusedIsNoOutage() {
        postgres.sql("""
                CREATE FUNCTION rows.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END';
                CREATE TRIGGER refuse BEFORE INSERT ON rows.message FOR EACH ROW
                  WHEN (NEW.body LIKE '%unwanted%') EXECUTE FUNCTION rows.refuse();
                """);
        McpTestClient session = session(0);
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":\"switchboard-" + idOf("replica-1")
                + "-1-1\",\"result\":{\"unwanted\":true}}";
        for (int round = 0; round < 3; round++) {
            assertEquals(503, session.post(answer, Map.of()).status());
            String metrics = replicas.gateway(0).management("/metrics").body();
            assertTrue(metrics.contains("switchboard_cluster_up 1.0"), metrics);
        }
    }
}
