package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.backend.agentroot.AgentrootSite;
import switchboard.backend.agentroot.AgentrootToolsContract;
import switchboard.backend.vectordb.VectordbContract;
import switchboard.call.Json;
import switchboard.testing.ClientProgram;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;
import switchboard.testing.NodeTools;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolCaller;
import switchboard.testing.TwoTeams;

/**
 * Several gateways behind a real load balancer are one: the official suites, the official clients while a gateway is killed, the
 * contracts of the embedded backends, two teams, and limits that hold over all of them.
 */
@Tag("engines")
class LoadBalancedTest {
    @TempDir
    private static Path folder;

    private static BalancedGateways gateways;

    @BeforeAll
    static void start() throws IOException {
        gateways = new BalancedGateways(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        gateways.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void theRequirementsAreMet(String revision) {
        NodeTools.Run run = NodeTools.install()
                .run(
                        "sh",
                        "run-on-node20.sh",
                        "server",
                        "--url",
                        gateways.url("/mcp/conformance").toString(),
                        "--requirements",
                        revision);
        assertEquals(0, run.exit(), run.output());
    }

    /** The first restart of a story kills a gateway. The others go on at once, while it is started again. */
    @ParameterizedTest
    @CsvSource({
        "story-v1.mjs, ok v1-http ok v1-sse",
        "story-v2.mjs, ok v2-auto ok v2-legacy ok v2-pinned",
        "story.py, ok py-http-auto ok py-http-legacy ok py-sse-auto",
        "story_v1.py, ok py1-http"
    })
    void theOfficialClientsGoOnWhenAGatewayIsKilled(String program, String expected) throws Exception {
        gateways.clear("library");
        ObjectNode spec = Json.object()
                .put("url", gateways.url("/mcp/shared").toString())
                .put("sse", gateways.url("/mcp/shared/sse").toString());
        String output;
        List<Future<?>> back = new ArrayList<>();
        try (ExecutorService starting = Executors.newVirtualThreadPerTaskExecutor()) {
            output = program(program, Json.text(spec)).run(() -> {
                if (back.isEmpty()) {
                    gateways.replicas().kill(1);
                    back.add(starting.submit(() -> gateways.replicas().start(1)));
                }
            });
            for (Future<?> one : back) {
                one.get(2, TimeUnit.MINUTES);
            }
        }
        assertEquals(
                expected,
                String.join(
                        " ",
                        output.lines().filter(line -> line.startsWith("ok ")).toList()),
                output);
    }

    private static ClientProgram program(String file, String argument) {
        return switch (file) {
            case "story.py" -> PythonTools.install().program(file, argument);
            case "story_v1.py" -> PythonTools.of("mcp==1.30.0").program(file, argument);
            default -> NodeTools.install().program("node", file, argument);
        };
    }

    @Test
    void sessionsAreCountedOverAll() {
        gateways.sql("DELETE FROM $.session");
        List<McpTestClient> sessions = new ArrayList<>();
        for (int number = 0; number < BalancedGateways.SESSIONS + 10; number++) {
            sessions.add(gateways.session("", gateways.red()));
        }
        assertEquals(Integer.toString(BalancedGateways.SESSIONS), gateways.sql("SELECT count(*) FROM $.session"));
        Map<Integer, Long> statuses = sessions.stream()
                .collect(Collectors.groupingBy(
                        session -> session.request("ping", Json.object()).status(), Collectors.counting()));
        assertEquals(Map.of(200, (long) BalancedGateways.SESSIONS, 404, 10L), statuses);
        sessions.forEach(McpTestClient::delete);
        sessions.forEach(McpTestClient::close);
    }

    /** Three requests in turn reach all three. */
    private static List<Integer> everywhere(McpTestClient session) {
        return IntStream.range(0, 3)
                .mapToObj(_ -> session.request("ping", Json.object()).status())
                .toList();
    }

    private static void unused(McpTestClient session, String time) {
        gateways.sql("UPDATE $.session SET last_used = now() - interval '" + time + "' WHERE key = '"
                + Base64.encodeBase64URLSafeString(DigestUtils.sha256(session.session())) + "'");
    }

    /** The sessions that the gateways have in memory, each its own. */
    private static double copies() {
        double copies = 0;
        for (int index = 0; index < 3; index++) {
            copies += gateways.replicas()
                    .process(index)
                    .management("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("switchboard_sessions_active"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
        return copies;
    }

    /** The time is the database's, so the test moves what is written there; gateways write down uses a little later. */
    @Test
    void aSessionThatNobodyUsesForAnHourEndsEverywhere() {
        gateways.sql("DELETE FROM $.session");
        Eventually.within(Eventually.OF_A_PROCESS, () -> copies() == 0, () -> "those of other tests have ended");
        try (McpTestClient old = gateways.session("", gateways.red());
                McpTestClient younger = gateways.session("", gateways.red())) {
            assertEquals(List.of(200, 200, 200), everywhere(old));
            assertEquals(List.of(200, 200, 200), everywhere(younger));
            double before = copies();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        unused(old, "66 minutes");
                        unused(younger, "54 minutes");
                        return copies() == before - 3;
                    },
                    () -> "the copies of one go: " + before + " before, now " + copies());
            assertEquals(List.of(404, 404, 404), everywhere(old));
            assertEquals(List.of(200, 200, 200), everywhere(younger));
            assertEquals(204, younger.delete().status());
        }
    }

    @Test
    void aDaysCallsHoldOverAll() throws Exception {
        McpTestClient client = gateways.client("fixture", gateways.of("daily"));
        ObjectNode call = Json.object().put("name", "test_simple_text");
        call.putObject("arguments");
        List<HttpReply> replies =
                LimitStories.together(2 * BalancedGateways.CALLS_A_DAY, () -> client.request("tools/call", call));
        List<HttpReply> answered = replies.stream()
                .filter(reply -> !reply.body().contains("callsPerDay"))
                .toList();
        answered.forEach(reply -> {
            assertEquals(200, reply.status(), reply::body);
            assertTrue(reply.body().contains("simple text"), reply::body);
        });
        assertEquals(BalancedGateways.CALLS_A_DAY, answered.size());
    }

    @Test
    void ratesHoldOverAll() throws Exception {
        LimitStories.aBurstIsOneForAll(gateways.client("fixture", gateways.of("slow")));
    }

    @Test
    void callsAtTheSameTimeAreCountedOverAll() {
        Map<String, String> who = gateways.of("single");
        McpTestClient client = gateways.client("fixture", who);
        assertEquals(30, LimitStories.succeeded(client, 30), "one after another, on three gateways in turn");
        LimitStories.oneCallAtATimeMeansOne(
                gateways.session("fixture", who), who, gateways.url("").getPort(), List.of(client, client, client));
        assertEquals(1, LimitStories.succeeded(client, 1));
    }

    @Test
    void eachOfTwoTeamsGetsWhatItWouldGetAlone() throws IOException {
        eachGetsWhatItWouldGetAlone("teams", LongRun.times(250, 10_000));
    }

    @Test
    void theSameWithChunksInAnEngine() throws IOException {
        eachGetsWhatItWouldGetAlone("engines", LongRun.times(120, 5_000));
    }

    private static void eachGetsWhatItWouldGetAlone(String view, int operations) throws IOException {
        try (TestGateway red = alone(view, "red");
                TestGateway blue = alone(view, "blue")) {
            new TwoTeams(operations, () -> {}, new AnswersOfReplicas())
                    .withoutZeros()
                    .perform(clients(view, "crimson", red), clients(view, "azure", blue));
        }
    }

    private static TwoTeams.TeamClients clients(String view, String team, TestGateway alone) {
        return new TwoTeams.TeamClients(gateways.client(view, gateways.of(team)), alone.modern("teams"));
    }

    private static TestGateway alone(String view, String owner) throws IOException {
        Path data =
                Files.createDirectories(folder.resolve("alone").resolve(view).resolve(owner));
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  %s:
                    keys: []
                    grants: ["*:*"]
                    bindings: {pair: {owner: %s}}
                """.formatted(owner, owner));
        return TestGateway.start("""
                auth: { mode: keys, anonymous: { team: %s } }
                embedders: { default: { provider: none } }
                backends: { pair: { type: vectordb } }
                views: { teams: { backends: [pair] } }
                """.formatted(owner), data);
    }

    /** The contract of {@code vectordb}. */
    @Nested
    class Vectordb extends VectordbContract {
        @Override
        protected Path place(Path mine) throws IOException {
            return gateways.emptyFiles();
        }

        @Override
        protected ToolCaller start(Path data) {
            gateways.clear("docs");
            return gateways.client("docs", gateways.of("everything"));
        }

        @Override
        protected void stop() {}
    }

    /** The contract of {@code agentroot}. */
    @Nested
    class Agentroot extends AgentrootToolsContract {
        @Override
        protected AgentrootSite site() {
            return gateways.site();
        }
    }
}
