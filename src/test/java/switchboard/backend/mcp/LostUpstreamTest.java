package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.testing.Eventually;
import switchboard.testing.Gate;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;

/** A server that is lost and found again: what stood open to it before is ended, and is not counted as a request. */
class LostUpstreamTest {
    @ParameterizedTest
    @EnumSource(names = {"BOTH", "LEGACY"})
    void theStreamOfBeforeEndsWhenAnotherIsOpened(FixtureServer.Era era) {
        try (FixtureServer server = new FixtureServer(era);
                Gate gate = new Gate(server.url().getPort());
                TestGateway gateway = TestGateway.start("""
                        backends:
                          other:
                            type: mcp
                            url: "%s"
                            refresh: 1s
                        """.formatted(
                        server.url().toString().replace(":" + server.url().getPort(), ":" + gate.port())))) {
            McpTestClient client = gateway.modern("other");
            Eventually.within(Eventually.OF_A_PROCESS, () -> open(gateway) == 1, () -> metrics(gateway));
            for (int round = 0; round < 3; round++) {
                long met = connections(server);
                gate.become(Gate.State.LYING);
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> client.call("test_simple_text", "{}").isError(),
                        () -> "the lie was not noticed");
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> metrics(gateway).contains("switchboard_backend_up{backend=\"other\"} 0.0")
                                || connections(server) > met,
                        () -> metrics(gateway));
                gate.become(Gate.State.OPEN);
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> !client.call("test_simple_text", "{}").isError(),
                        () -> "it was not found again");
            }
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> open(gateway) == 1 && inFlight(gateway) == 0,
                    () -> metrics(gateway));
            assertEquals(1, open(gateway));
        }
    }

    /** The last two are what servers made with older official SDKs answer after a restart. */
    @ParameterizedTest
    @CsvSource({"404, ''", "400, ''", "400, 'Bad Request: No valid session ID provided'"})
    void aSessionThatTheServerHasForgottenIsMadeAgain(int status, String text) {
        try (FixtureServer server = new FixtureServer(FixtureServer.Era.LEGACY);
                TestGateway gateway = TestGateway.start("""
                        backends:
                          other:
                            type: mcp
                            url: "%s"
                        """.formatted(server.url()))) {
            McpTestClient client = gateway.modern("other");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !client.call("test_simple_text", "{}").isError(),
                    () -> "it was not found");
            server.refuseUnknownSessions(status, text);
            server.forgetSessions();
            ToolResult result = client.call("test_simple_text", "{}");
            assertFalse(result.isError(), result::toString);
        }
    }

    @Test
    void anOlderServerIsToldThatPagesOfMcpAppsAreShown() {
        try (FixtureServer server = new FixtureServer(FixtureServer.Era.LEGACY);
                TestGateway gateway = TestGateway.start("""
                        backends:
                          other:
                            type: mcp
                            url: "%s"
                        """.formatted(server.url()))) {
            McpTestClient client = gateway.modern("other");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !client.call("test_simple_text", "{}").isError(),
                    () -> "it was not found");
            JsonNode offered = server.received().stream()
                    .filter(message -> message.path("method").asText().equals("initialize"))
                    .findFirst()
                    .orElseThrow()
                    .at("/params/capabilities/extensions/io.modelcontextprotocol~1ui/mimeTypes");
            assertEquals("[\"text/html;profile=mcp-app\"]", offered.toString());
        }
    }

    /** How often the gateway has shaken hands. */
    private static long connections(FixtureServer server) {
        return server.received().stream()
                .map(message -> message.path("method").asText())
                .filter(method -> method.equals("server/discover") || method.equals("initialize"))
                .count();
    }

    private static double open(TestGateway gateway) {
        return value(gateway, "switchboard_upstream_streams_open{backend=\"other\"} ");
    }

    private static double inFlight(TestGateway gateway) {
        return value(gateway, "switchboard_upstream_in_flight{backend=\"other\"} ");
    }

    private static double value(TestGateway gateway, String sample) {
        return metrics(gateway)
                .lines()
                .filter(line -> line.startsWith(sample))
                .mapToDouble(line -> Double.parseDouble(line.substring(sample.length())))
                .findFirst()
                .orElse(-1);
    }

    private static String metrics(TestGateway gateway) {
        return gateway.management("/metrics").body();
    }
}
