package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;
import switchboard.call.Health.HealthStatus;
import switchboard.testing.FaultServer;
import switchboard.testing.Programs;
import switchboard.upstream.EngineDiagnostics.Key;
import switchboard.upstream.EngineDiagnostics.Probe;

/** What an operator is told of an engine: whether it answers, its clock, and what its key allows. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EngineDiagnosticsTest extends UpstreamFixture {
    private static final UpstreamRequest READY = UpstreamRequest.get("/ready");
    private static final Function<JsonNode, String> VERSION =
            answer -> "version " + answer.path("version").asText();
    private static final Key KEY = new Key(
            List.of(
                    Probe.needed("key", "/search", _ -> "may search", "let it search"),
                    Probe.needed("key", "/admin", _ -> "may administer", "let it administer")),
            Set.of(401),
            "make a new one");
    private static final FaultServer.Behaviour GOOD = FaultServer.json("{\"version\":\"1.2\"}");
    private static final FaultServer.Behaviour LOST = FaultServer.reset();

    private static FaultServer.Behaviour status(int status) {
        return FaultServer.reply(status, "application/json", "{}");
    }

    private static FaultServer.Behaviour dated(String date) {
        return FaultServer.reply(200, "application/json", "{}", "Date: " + date);
    }

    private EngineDiagnostics diagnostics(URI url) {
        return new EngineDiagnostics(client(url, UpstreamSettings.defaults()), clock);
    }

    private static List<String> paths(FaultServer server) {
        return server.requests().stream().map(head -> head.split(" ")[1]).toList();
    }

    private void health(Health expected, List<String> asked, FaultServer.Behaviour... answers) {
        try (FaultServer server = new FaultServer(answers)) {
            assertEquals(
                    expected, diagnostics(server.url()).health(READY, KEY, LONG).await());
            assertEquals(asked, paths(server));
        }
    }

    private static Health refused(HealthStatus state, int status) {
        return new Health(state, "the engine answers, but refuses the key (" + status + "); make a new one");
    }

    @Test
    void anEngineIsUpIfTheKeyMayDoOneOfTheThings() {
        health(Health.up(), List.of("/ready", "/search"), GOOD, GOOD);
        health(Health.up(), List.of("/ready", "/search", "/admin"), GOOD, status(403), GOOD);
        health(Health.up(), List.of("/ready", "/search", "/admin"), GOOD, status(401), GOOD);
    }

    @Test
    void whatIsNoRefusalOfTheKeySaysNothingAgainstIt() {
        for (int status : List.of(400, 402, 404, 500)) {
            health(Health.up(), List.of("/ready", "/search"), GOOD, status(status));
        }
    }

    @Test
    void aKeyThatMayDoNothingDegradesAndAnUnknownOneIsAsGoodAsNoEngine() {
        List<String> all = List.of("/ready", "/search", "/admin");
        health(refused(HealthStatus.DEGRADED, 403), all, GOOD, status(403), status(403));
        health(refused(HealthStatus.DEGRADED, 403), all, GOOD, status(401), status(403));
        health(refused(HealthStatus.DOWN, 401), all, GOOD, status(403), status(401));
    }

    @Test
    void anEngineThatIsNotReadyIsDownAndNotAskedForMore() {
        health(Health.down("engine is not ready (503); wait, then try again"), List.of("/ready"), status(503));
        health(
                Health.down("engine closed the connection before its answer was complete; wait, then try again"),
                List.of("/ready", "/search"),
                GOOD,
                LOST);
    }

    @Test
    void anEngineThatCanNotBeReachedIsOneFinding() throws IOException {
        URI nowhere = URI.create("http://127.0.0.1:" + Programs.freePort());
        List<DiagnosticFinding> findings =
                diagnostics(nowhere).of(READY, KEY, List.of()).await();
        assertEquals(1, findings.size());
        assertEquals("engine", findings.getFirst().about());
        assertFalse(findings.getFirst().sound());
        assertTrue(findings.getFirst().detail().startsWith("engine refuses connections"), findings::toString);
        assertEquals(
                HealthStatus.DOWN,
                diagnostics(nowhere).health(READY, KEY, LONG).await().state());
    }

    private List<DiagnosticFinding> findings(List<Probe> questions, FaultServer.Behaviour... answers) {
        try (FaultServer server = new FaultServer(answers)) {
            return diagnostics(server.url()).of(READY, KEY, questions).await();
        }
    }

    private static DiagnosticFinding good(String about, String detail) {
        return DiagnosticFinding.good(about, detail);
    }

    private static DiagnosticFinding bad(String about, String detail) {
        return DiagnosticFinding.bad(about, detail);
    }

    @Test
    void anEngineThatAnswersWithAnErrorIsAskedNothingElse() {
        assertEquals(
                List.of(bad("engine", "engine is not ready (503); wait, then try again")),
                findings(List.of(Probe.optional("version", "/version", VERSION)), status(503)));
    }

    @Test
    void theFindingsAreInTheOrderOfTheQuestionsAndTheKeyIsFirst() {
        List<Probe> questions = List.of(
                Probe.needed("version", "/version", VERSION, "let it see the version"),
                Probe.needed("indexes", UpstreamRequest.get("/indexes"), VERSION, "let it list indexes"),
                Probe.optional("stats", "/stats", VERSION),
                Probe.optional("nodes", "/nodes", VERSION),
                Probe.optional("tasks", "/tasks", VERSION),
                Probe.optional("schema", "/schema", VERSION));
        assertEquals(
                List.of(
                        good("engine", "answers"),
                        good("key", "may search"),
                        good("version", "version 1.2"),
                        bad("indexes", "refused (403); let it list indexes"),
                        good("stats", "not available with this key; the gateway works without it"),
                        bad("nodes", "engine is not ready (503); wait, then try again"),
                        bad(
                                "tasks",
                                "engine closed the connection before its answer was complete; wait, then try again"),
                        good("schema", "version *** of <url>")),
                findings(
                        questions,
                        GOOD,
                        GOOD,
                        GOOD,
                        status(403),
                        status(401),
                        status(503),
                        LOST,
                        FaultServer.json("{\"version\":\"s3cret-token of http://engine:1/x\"}")));
    }

    @Test
    void ofTheKeyTheFirstThatItMayDoIsSaidOrElseTheFirstThatItMayNot() {
        DiagnosticFinding answers = good("engine", "answers");
        assertEquals(List.of(answers, good("key", "may administer")), findings(List.of(), GOOD, status(403), GOOD));
        assertEquals(List.of(answers, good("key", "may administer")), findings(List.of(), GOOD, LOST, GOOD));
        assertEquals(
                List.of(answers, bad("key", "refused (401); let it search")),
                findings(List.of(), GOOD, status(401), status(403)));
        assertEquals(
                List.of(answers, bad("key", "refused (403); let it search")),
                findings(List.of(), GOOD, status(403), LOST));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "'Thu, 01 Jan 2026 00:00:00 GMT', true, agrees with the gateway's",
                "'Thu, 01 Jan 2026 00:00:30 GMT', true, agrees with the gateway's",
                "'Wed, 31 Dec 2025 23:59:30 GMT', true, agrees with the gateway's",
                "'Thu, 01 Jan 2026 00:00:31 GMT', false, the engine's is 31 s ahead of",
                "'Wed, 31 Dec 2025 23:59:29 GMT', false, the engine's is 31 s behind"
            })
    void theClockOfAnEngineIsComparedWithTheGateways(String date, boolean sound, String beginning) {
        DiagnosticFinding clock = findings(List.of(), dated(date), GOOD).get(1);
        assertEquals("clock", clock.about());
        assertEquals(sound, clock.sound());
        assertTrue(clock.detail().startsWith(beginning), clock::detail);
    }

    @Test
    void anEngineWithoutADateOrWithOneOfItsOwnMakingSaysNothingOfItsClock() {
        for (FaultServer.Behaviour ready : Arrays.asList(GOOD, dated("today"), dated("2026-01-01T00:00:00Z"))) {
            assertEquals(
                    List.of(good("engine", "answers"), good("key", "may search")), findings(List.of(), ready, GOOD));
        }
    }
}
