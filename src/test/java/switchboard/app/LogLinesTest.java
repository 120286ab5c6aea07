package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.backend.BackendVerticle;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestServer;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** What a gateway logs where machines read it. */
class LogLinesTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    Path folder;

    @Test
    void everyLineOnStandardOutputOfAServerIsAJsonObject() throws Exception {
        GatewayProcess gateway = GatewayProcess.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
        try (gateway) {
            gateway.terminate();
            assertEquals(0, gateway.exitCode(), gateway::log);
        }
        List<String> lines = gateway.output();
        assertTrue(lines.stream().anyMatch(line -> line.contains("serves MCP on")), lines::toString);
        for (String line : lines) {
            JsonNode object = Json.parse(line);
            assertTrue(object.has("level") && (object.has("message") || object.has("formattedMessage")), line);
        }
    }

    @AsksForErrors({"BackendVerticle - call .* failed", "RequestRunner - request failed"})
    @Test
    void aDefectIsLoggedWithTheIdThatTheCallerWasToldAndItsTrace() {
        Logger logger = (Logger) LoggerFactory.getLogger(BackendVerticle.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try (TestServer server = TestServer.start();
                McpTestClient client = McpTestClient.modern(server.uri("/mcp"))
                        .with("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")) {
            ToolResult failed = client.call("failing", "{\"kind\": \"DEFECT\"}");
            String ids = logged.list.getFirst().getKeyValuePairs().stream()
                    .map(pair -> pair.key + "=" + pair.value)
                    .collect(Collectors.joining(" "));
            assertTrue(ids.contains("traceId=" + TRACE), ids);
            String callId = ids.replaceAll(".*callId=(\\S+).*", "$1");
            assertTrue(failed.text().contains(callId), () -> failed.text() + ids);
        } finally {
            logger.detachAppender(logged);
        }
    }
}
