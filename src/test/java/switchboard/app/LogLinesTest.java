package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.app.command.ServeCommand;
import switchboard.backend.BackendVerticle;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.NoisyGateway;
import switchboard.testing.TestServer;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** What a gateway logs where machines read it. */
class LogLinesTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static final int CALLS = 200;

    @TempDir
    Path folder;

    @AsksForErrors({
        "\"logger\":\"com\\.example\\.",
        "uncaught exception",
        "IllegalStateException: why",
        "switchboard.yaml has changed and can't be used"
    })
    @Test
    void everyLineOnStandardOutputOfAServerHasOneShape() throws Exception {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                audit: {to: stdout, arguments: full}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, url: "http://127.0.0.1:9"}
                """);
        GatewayProcess gateway = GatewayProcess.start(
                new GatewayProcess.Launch(config, folder, "512m", 0),
                NoisyGateway.class,
                List.of("-DSWITCHBOARD_REQUEST_LOG=INFO"));
        try (gateway;
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            use(gateway, client);
            Files.writeString(config, "surprise: 1\n");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> gateway.output().stream().anyMatch(line -> line.contains("surprise")),
                    () -> "it tells of the configuration: " + gateway.log());
            gateway.terminate();
            assertEquals(0, gateway.exitCode(), gateway::log);
        }
        List<JsonNode> lines = new ArrayList<>();
        for (String line : gateway.output()) {
            lines.add(shaped(line));
        }
        JsonNode start = only(lines, ServeCommand.class.getName());
        assertTrue(start.path("msg").asText().contains("serves MCP on " + gateway.url()), start::toString);
        assertTrue(
                said(lines, GatewayApp.class.getName()).containsAll(List.of("stopping", "stopped")), lines::toString);
        assertTrue(said(lines, BackendHealth.class.getName()).getFirst().contains("weaviate"), lines::toString);
        assertTrue(said(lines, "switchboard.requests").size() >= CALLS, lines::toString);
        assertTrue(said(lines, "switchboard.audit").size() >= CALLS, lines::toString);
        assertEquals(List.of("of the JDK"), said(lines, "com.example.jul"));
        assertEquals(List.of("of Log4j"), said(lines, "com.example.log4j"));
        JsonNode library = only(lines, "com.example.slf4j");
        assertEquals(
                "two\nlines \"quoted\" \u0001 and half a character ?",
                library.path("msg").asText());
        assertEquals("WARN", library.path("level").asText());
        assertEquals(7, library.path("level_").asInt());
        assertTrue(library.path("whole").isBoolean() && library.path("what").isNull(), library::toString);
        assertTrue(only(lines, "com.example.long").path("exception").asText().contains("IllegalStateException: why"));
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.path("exception").asText().contains("nobody catches this")
                                && line.path("msg").asText().contains("noise")),
                lines::toString);
    }

    /** Calls that come through, fail at the caller, and at an engine; many at once, with long lines in the audit log. */
    private static void use(GatewayProcess gateway, McpTestClient client) throws InterruptedException {
        client.call("weaviate__weaviate-tenants-list", "{\"collection_name\": \"A\"}");
        client.call("vectordb__search", "{\"query\": 7}");
        client.request("tools/call", Json.object().put("name", "nothing"));
        client.post("{", Map.of());
        String text = "y".repeat(20_000);
        List<Thread> callers = IntStream.range(0, 4)
                .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                    try (McpTestClient one = McpTestClient.modern(gateway.url())) {
                        for (int i = 0; i < CALLS / 4; i++) {
                            one.call(
                                    "vectordb__search",
                                    Json.object()
                                            .put("query", "x")
                                            .put("library", text)
                                            .toString());
                        }
                    }
                }))
                .toList();
        for (Thread caller : callers) {
            caller.join();
        }
    }

    /** The line, which must have the four fields that all have. */
    private static JsonNode shaped(String line) {
        JsonNode object;
        try {
            object = Json.parse(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
        for (String field : List.of("ts", "level", "logger", "msg")) {
            assertTrue(object.path(field).isTextual(), line);
        }
        assertTrue(object.path("ts").asText().matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"), line);
        assertTrue(
                List.of("ERROR", "WARN", "INFO").contains(object.path("level").asText()), line);
        assertTrue(
                !object.path("logger").asText().isEmpty()
                        && !object.path("msg").asText().isEmpty(),
                line);
        return object;
    }

    private static List<String> said(List<JsonNode> lines, String logger) {
        return lines.stream()
                .filter(line -> line.path("logger").asText().equals(logger))
                .map(line -> line.path("msg").asText())
                .toList();
    }

    private static JsonNode only(List<JsonNode> lines, String logger) {
        List<JsonNode> found = lines.stream()
                .filter(line -> line.path("logger").asText().equals(logger))
                .toList();
        assertEquals(1, found.size(), lines::toString);
        return found.getFirst();
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
