package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.telemetry.MetricNames;
import switchboard.testing.BackendHarness;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** Many callers at once, calls that end early, a server that goes away. */
@Tag("engines")
class PostgresUnderLoadTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static String reader;

    @BeforeAll
    static void role() {
        reader = PostgresFixture.reader(CLUSTER);
    }

    private static PostgresSettings settings(PostgresSettings.Pool pool) {
        PostgresSettings base = PostgresFixture.settings(CLUSTER, reader);
        return new PostgresSettings(
                base.connection(), Map.of(), base.access(), pool, base.limits(), base.embedder(), Map.of(), Map.of());
    }

    private static PostgresSettings.Pool pool(int size, Duration acquire) {
        return new PostgresSettings.Pool(size, 200, acquire, Duration.ofMinutes(5), Duration.ofMinutes(30), false);
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

    /** How many sessions of the gateway run something, as the server sees it. */
    private static int active() {
        return Integer.parseInt(CLUSTER.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + reader
                + "' AND (state <> 'idle' OR query LIKE '%pg_sleep%' AND state = 'active')"));
    }

    /** How many sessions the gateway has at all, as the server sees it. */
    private static int sessions() {
        return Integer.parseInt(CLUSTER.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + reader + "'"));
    }

    private static double gauge(BackendHarness harness, String state) {
        return harness.meters().find(MetricNames.POSTGRES_CONNECTIONS).tag("state", state).gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private static void awaitIdle() {
        Eventually.within(Eventually.OF_A_PROCESS, () -> active() == 0, () -> "the gateway's sessions are idle");
    }

    @Test
    void nobodyWaitsForAConnectionThatADeadCallHolds() {
        BackendHarness harness = PostgresFixture.start(settings(pool(4, Duration.ofSeconds(20))), null);
        try {
            List<PendingCall> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                boolean dead = i % 4 == 0;
                calls.add(send(
                        harness,
                        dead ? "SELECT pg_sleep(3600)" : "SELECT " + i,
                        dead ? Duration.ofMillis(400) : Duration.ofSeconds(40)));
            }
            for (int i = 0; i < 64; i++) {
                BackendReply reply = calls.get(i).reply().await();
                if (i % 4 == 0) {
                    assertEquals(FailureKind.TIMEOUT, ((ToolReply.Failed) reply).kind());
                } else {
                    assertEquals(
                            "[[" + i + "]]",
                            Json.text(java.util.Objects.requireNonNull(((ToolReply.Ok) reply).structured())
                                    .path("rows")));
                }
            }
            awaitIdle();
        } finally {
            harness.close();
        }
    }

    /** The session of the server that the next query runs in, by the id of its process. */
    private static int session(BackendHarness harness) {
        ToolResult result = harness.call("query_database", "{\"query\":\"SELECT pg_backend_pid()\"}");
        assertFalse(result.isError(), result::toString);
        return result.structured().at("/rows/0/0").asInt();
    }

    /** Whether a query that sleeps runs in that session. */
    private static boolean sleeps(int session) {
        return CLUSTER.sql(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid = "
                                + session)
                .equals("1");
    }

    @Test
    void aCancelledCallStopsItsQueryOnTheServerAndFreesTheOnlyConnection() {
        BackendHarness harness = PostgresFixture.start(settings(pool(1, Duration.ofSeconds(20))), null);
        try {
            for (int i = 0; i < 20; i++) {
                int before = session(harness);
                PendingCall call = send(harness, "SELECT pg_sleep(3600)", Duration.ofSeconds(60));
                Eventually.within(Eventually.OF_A_PROCESS, () -> sleeps(before), () -> "the query runs");
                call.cancel();
                assertEquals(
                        FailureKind.CANCELLED, ((ToolReply.Failed) call.reply().await()).kind());
                assertNotEquals(before, session(harness), "a cancellation that comes late would meet another call");
            }
            awaitIdle();
        } finally {
            harness.close();
        }
    }

    @Test
    void aFullPoolSaysSo() {
        BackendHarness harness = PostgresFixture.start(
                settings(new PostgresSettings.Pool(
                        1, 1, Duration.ofMillis(300), Duration.ofMinutes(5), Duration.ofMinutes(30), false)),
                null);
        try {
            harness.call("query_database", "{\"query\":\"SELECT 1\"}");
            List<PendingCall> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(send(harness, "SELECT pg_sleep(2)", Duration.ofSeconds(30)));
            }
            int overloaded = 0;
            for (PendingCall call : calls) {
                if (call.reply().await() instanceof ToolReply.Failed failed) {
                    assertEquals(FailureKind.OVERLOADED, failed.kind(), failed.message());
                    overloaded++;
                }
            }
            assertEquals(3, overloaded);
        } finally {
            harness.close();
        }
    }

    @Test
    void aServerThatDiesAndComesBackIsUsedAgain() {
        BackendHarness harness = PostgresFixture.start(settings(pool(8, Duration.ofSeconds(5))), null);
        try {
            List<PendingCall> calls = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                calls.add(send(
                        harness, i % 2 == 0 ? "SELECT pg_sleep(30)" : "SELECT pg_sleep(0.01)", Duration.ofSeconds(60)));
            }
            Eventually.within(Eventually.OF_A_PROCESS, () -> active() > 0, () -> "a query runs");
            CLUSTER.kill();
            for (PendingCall call : calls) {
                if (call.reply().await() instanceof ToolReply.Failed failed) {
                    assertTrue(
                            Set.of(FailureKind.UNAVAILABLE, FailureKind.OVERLOADED)
                                    .contains(failed.kind()),
                            failed.toString());
                }
            }
            assertEquals(
                    "UNAVAILABLE",
                    harness.call("query_database", "{\"query\":\"SELECT 1\"}").errorKind());
            assertFalse(harness.backend().health().await().ok());
            // By now the server is given a rest, which the first probe that it answers ends.
            CLUSTER.restart();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> harness.backend().health().await().ok(),
                    () -> "the server answers probes");
            for (int i = 0; i < 20; i++) {
                ToolResult result = harness.call("query_database", "{\"query\":\"SELECT 1\"}");
                assertFalse(result.isError(), result::toString);
            }
            List<Future<BackendReply>> again = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                again.add(send(harness, "SELECT " + i, Duration.ofSeconds(30)).reply());
            }
            Future.all(again).await();
            again.forEach(reply -> assertTrue(reply.result() instanceof ToolReply.Ok, String.valueOf(reply.result())));
            awaitIdle();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> gauge(harness, "open") == sessions()
                            && gauge(harness, "in_use") == 0
                            && gauge(harness, "waiting") == 0,
                    () -> "no connection is lost: " + gauge(harness, "open") + " here, " + sessions() + " there");
            assertTrue(sessions() <= 16, () -> sessions() + " sessions");
        } finally {
            harness.close();
        }
    }

    @Test
    void aServerThatIsDownDoesNotKeepTheGatewayDown() {
        PostgresSettings base = PostgresFixture.settings(CLUSTER, reader);
        PostgresSettings nowhere = new PostgresSettings(
                new PostgresSettings.Connection(null, "127.0.0.1", 1, "x", "y", null, null, null),
                Map.of(),
                base.access(),
                base.pool(),
                base.limits(),
                base.embedder(),
                Map.of(),
                Map.of());
        BackendHarness harness = PostgresFixture.start(nowhere, null);
        try {
            for (String tool : List.of("get_schema_info", "read_resource")) {
                assertEquals(
                        "UNAVAILABLE",
                        harness.call(tool, tool.equals("read_resource") ? "{\"uri\":\"pg://system_info\"}" : "{}")
                                .errorKind());
            }
            assertFalse(harness.backend().health().await().ok());
        } finally {
            harness.close();
        }
    }
}
