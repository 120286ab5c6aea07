package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.config.PemFile;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.telemetry.MetricNames;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.PgBouncer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ServerCertificate;
import switchboard.testing.ToolResult;

/** The ways to a server: through PgBouncer, over TLS, to the next host, and to one that does not answer. */
@Tag("engines")
@ExtendWith(VertxExtension.class)
class PostgresConnectionsTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final String ONE = "{\"query\":\"SELECT 1\"}";

    private static String reader;

    @BeforeAll
    static void start() {
        reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE TABLE things (id int PRIMARY KEY, name text, v vector(4));
                INSERT INTO things SELECT i, 'thing ' || i, ARRAY[i, 1, 1, 1]::vector FROM generate_series(1, 200) i;
                CREATE INDEX ON things USING hnsw (v vector_cosine_ops);
                """);
    }

    private static PostgresSettings settings(PostgresSettings.Connection connection, PostgresSettings.Pool pool) {
        PostgresSettings base = PostgresFixture.settings(CLUSTER, reader);
        Map<String, PostgresSettings.Query> queries = Map.of(
                "things_named",
                new PostgresSettings.Query(
                        "SELECT id FROM things WHERE name = :name",
                        "Test.",
                        null,
                        "read",
                        null,
                        null,
                        Map.of(
                                "name",
                                new PostgresSettings.Parameter(
                                        "string", "A name.", null, null, false, null, null, 50, List.of()))));
        return new PostgresSettings(
                connection, Map.of(), base.access(), pool, base.limits(), base.embedder(), Map.of(), queries);
    }

    private static PostgresSettings.Pool pool(int size, Duration acquire, boolean pgbouncer) {
        return new PostgresSettings.Pool(size, 200, acquire, Duration.ofMinutes(5), Duration.ofMinutes(30), pgbouncer);
    }

    private static PostgresSettings.Connection connection(
            String host, int port, @Nullable String sslMode, @Nullable String authority) {
        return new PostgresSettings.Connection(
                null,
                host,
                port,
                CLUSTER.database(),
                reader,
                null,
                sslMode,
                authority == null ? null : PemFile.of(Path.of(authority)));
    }

    private static void everyToolWorks(BackendHarness harness) {
        Map<String, String> calls = Map.of(
                "query_database", "{\"query\":\"SELECT id, v FROM things WHERE id < 3 ORDER BY id\"}",
                "get_schema_info", "{\"vector_tables_only\":true}",
                "search_similar", "{\"text_query\":\"x\"}",
                "semantic_search",
                        "{\"table_name\":\"things\",\"vector_column\":\"v\",\"text_query\":\"x\",\"top_k\":60,"
                                + "\"filter\":{\"id\":{\"gt\":100}}}",
                "generate_embedding", "{\"text\":\"x\"}",
                "read_resource", "{\"uri\":\"pg://system_info\"}",
                "things_named", "{\"name\":\"thing 7\"}");
        for (int i = 0; i < 3; i++) {
            calls.forEach((tool, arguments) -> {
                ToolResult result = harness.call(tool, arguments);
                assertFalse(result.isError(), () -> tool + " " + result);
            });
        }
    }

    private static PendingCall send(BackendHarness harness, String sql, Duration timeout) {
        ObjectNode arguments = Json.object().put("query", sql).put("offset", 0);
        return harness.dispatcher()
                .send(
                        "postgres",
                        new BackendRequest.CallTool("query_database", Arguments.of(arguments)),
                        Caller.unrestricted(),
                        CallOptions.withEvents(timeout, null, null));
    }

    @Test
    void everythingWorksBehindPgBouncerInTransactionMode() {
        try (PgBouncer bouncer = PgBouncer.start(CLUSTER.port(), 2, reader)) {
            BackendHarness harness = PostgresFixture.start(
                    settings(
                            connection("127.0.0.1", bouncer.port(), null, null), pool(8, Duration.ofSeconds(20), true)),
                    CalculatedEmbedder.ofCharacters(4));
            try {
                everyToolWorks(harness);
                // Eight of the gateway's connections share two of PgBouncer's, with calls among them that die.
                List<PendingCall> calls = new ArrayList<>();
                for (int i = 0; i < 48; i++) {
                    boolean dead = i % 8 == 0;
                    calls.add(send(
                            harness,
                            dead ? "SELECT pg_sleep(3600)" : "SELECT " + i,
                            dead ? Duration.ofMillis(400) : Duration.ofSeconds(40)));
                }
                for (int i = 0; i < calls.size(); i++) {
                    BackendReply reply = calls.get(i).reply().await();
                    boolean dead = reply instanceof ToolReply.Failed failed && failed.kind() == FailureKind.TIMEOUT;
                    String answer = dead ? "dead" : rows(reply);
                    assertEquals(i % 8 == 0 ? "dead" : "[[" + i + "]]", answer);
                }
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> CLUSTER.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + reader
                                        + "' AND state <> 'idle'")
                                .equals("0"),
                        () -> "no statement of a dead call runs on");
                everyToolWorks(harness);
            } finally {
                harness.close();
            }
        }
    }

    @Test
    void everythingWorksBehindPgBouncerInSessionModeWithoutASetting() {
        try (PgBouncer bouncer = PgBouncer.startSessions(CLUSTER.port(), reader)) {
            BackendHarness harness = PostgresFixture.start(
                    settings(
                            connection("127.0.0.1", bouncer.port(), null, null),
                            pool(2, Duration.ofSeconds(20), false)),
                    CalculatedEmbedder.ofCharacters(4));
            try {
                everyToolWorks(harness);
            } finally {
                harness.close();
            }
        }
    }

    private static String rows(BackendReply reply) {
        return reply instanceof ToolReply.Ok ok
                ? String.valueOf(Objects.requireNonNull(ok.structured()).path("rows"))
                : reply.toString();
    }

    @Test
    void tlsIsAsStrictAsItsMode() throws IOException {
        try (ServerCertificate certificate = ServerCertificate.of("localhost");
                PgBouncer bouncer = PgBouncer.startTls(CLUSTER.port(), certificate, reader)) {
            String authority = certificate.certificate().toString();
            assertTrue(reaches(connection("localhost", bouncer.port(), "require", null)));
            assertTrue(reaches(connection("localhost", bouncer.port(), "verify-ca", authority)));
            assertTrue(reaches(connection("127.0.0.1", bouncer.port(), "verify-ca", authority)));
            assertTrue(reaches(connection("localhost", bouncer.port(), "verify-full", authority)));
            assertFalse(reaches(connection("127.0.0.1", bouncer.port(), "verify-full", authority)), "another name");
            assertFalse(reaches(connection("localhost", bouncer.port(), "verify-ca", null)), "not trusted");
            assertFalse(reaches(connection("localhost", bouncer.port(), "disable", null)), "plain text");
        }
        assertFalse(reaches(connection("127.0.0.1", CLUSTER.port(), "require", null)), "a server without TLS");
        assertTrue(reaches(connection("127.0.0.1", CLUSTER.port(), "prefer", null)));
    }

    @Test
    void aDeadCallIsCancelledOverTls() throws IOException {
        try (ServerCertificate certificate = ServerCertificate.of("localhost");
                PgBouncer bouncer = PgBouncer.startTls(CLUSTER.port(), certificate, reader)) {
            String authority = certificate.certificate().toString();
            BackendHarness harness = PostgresFixture.start(
                    settings(
                            connection("localhost", bouncer.port(), "verify-full", authority),
                            pool(2, Duration.ofSeconds(20), true)),
                    null);
            try {
                send(harness, "SELECT pg_sleep(3601)", Duration.ofSeconds(1))
                        .reply()
                        .await();
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> CLUSTER.sql("SELECT count(*) FROM pg_stat_activity WHERE state <> 'idle'"
                                        + " AND query LIKE '%sleep(3601)%' AND pid <> pg_backend_pid()")
                                .equals("0"),
                        () -> "the statement is cancelled");
            } finally {
                harness.close();
            }
        }
    }

    private static boolean reaches(PostgresSettings.Connection connection) {
        BackendHarness harness =
                PostgresFixture.start(settings(connection, pool(2, Duration.ofSeconds(20), true)), null);
        try {
            ToolResult result = harness.call("query_database", ONE);
            assertTrue(!result.isError() || result.errorKind().equals("UNAVAILABLE"), result::toString);
            return !result.isError();
        } finally {
            harness.close();
        }
    }

    @Test
    void theNextHostTakesOver() {
        try (PgBouncer second = PgBouncer.start(CLUSTER.port(), 4, reader)) {
            PgBouncer first = PgBouncer.start(CLUSTER.port(), 4, reader);
            BackendHarness harness = PostgresFixture.start(
                    settings(
                            connection(
                                    "127.0.0.1:1, 127.0.0.1:" + first.port() + ",127.0.0.1", second.port(), null, null),
                            pool(2, Duration.ofSeconds(20), true)),
                    null);
            try {
                assertFalse(harness.call("query_database", ONE).isError());
                String named = "SELECT 1 AT postgres://127.0.0.1:" + second.port() + "/" + CLUSTER.database();
                assertFalse(harness.call("query_database", Json.object().put("query", named))
                        .isError());
                first.close();
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> !harness.call("query_database", ONE).isError(),
                        () -> "the next host is asked");
                assertFalse(harness.call("get_schema_info", "{}").isError());
            } finally {
                harness.close();
            }
        }
    }

    @Test
    void aServerThatAcceptsAndSaysNothingIsGivenARest() {
        try (FaultServer silent = new FaultServer(FaultServer.silentAfter(""))) {
            BackendHarness harness = PostgresFixture.start(
                    settings(
                            connection("127.0.0.1", silent.url().getPort(), null, null),
                            pool(2, Duration.ofMillis(200), false)),
                    null);
            try {
                List<String> messages = new ArrayList<>();
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> {
                            ToolResult result = harness.call("query_database", ONE);
                            messages.add(result.errorKind() + " " + result.text());
                            return result.text().contains("not called for a while");
                        },
                        () -> "the breaker opens: " + messages);
                assertTrue(
                        messages.stream().allMatch(message -> message.startsWith("UNAVAILABLE ")), messages::toString);
                assertEquals(
                        2.0,
                        harness.meters()
                                .get(MetricNames.POSTGRES_BREAKER)
                                .gauge()
                                .value());
            } finally {
                harness.close();
            }
        }
    }

    @Test
    void aServerThatSpeaksSomethingElseIsUnavailable(Vertx vertx) {
        HttpServer http = vertx.createHttpServer()
                .requestHandler(request -> request.response().end("hello"))
                .listen(0, "127.0.0.1")
                .await();
        assertFalse(reaches(connection("127.0.0.1", http.actualPort(), null, null)));
    }

    @Test
    void connectionsAreCounted() {
        BackendHarness harness = PostgresFixture.start(
                settings(connection("127.0.0.1", CLUSTER.port(), null, null), pool(2, Duration.ofSeconds(20), false)),
                null);
        try {
            List<PendingCall> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                calls.add(send(harness, "SELECT pg_sleep(3600)", Duration.ofSeconds(60)));
            }
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> count(harness, "in_use") == 2 && count(harness, "waiting") == 3,
                    () -> "2 of 5 run");
            assertEquals(2, count(harness, "open"));
            calls.forEach(PendingCall::cancel);
            for (PendingCall call : calls) {
                assertEquals(
                        FailureKind.CANCELLED, ((ToolReply.Failed) call.reply().await()).kind());
            }
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> count(harness, "in_use") == 0 && count(harness, "waiting") == 0,
                    () -> "none runs");
        } finally {
            harness.close();
        }
    }

    private static double count(BackendHarness harness, String state) {
        return harness.meters()
                .get(MetricNames.POSTGRES_CONNECTIONS)
                .tags("sql", "caller", "database", "default", "role", reader, "state", state)
                .gauge()
                .value();
    }
}
