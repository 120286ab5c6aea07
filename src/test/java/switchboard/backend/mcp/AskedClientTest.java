package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** A server that needs the client's model in the middle of a call, and a client of 2025-11-25 that lends it. */
class AskedClientTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private FixtureServer fixture = new FixtureServer(Era.BOTH);
    private TestGateway gateway;
    private String timeout = "1m";

    private void start(Era era) {
        fixture.close();
        fixture = new FixtureServer(era);
        gateway = TestGateway.start("""
            server: { drain: { grace: 1s } }
            backends:
              fixture: { type: mcp, url: "%s", callTimeout: %s }
            """.formatted(fixture.url(), timeout));
        // A start waits for a server for a while only.
        Eventually.that(() -> !gateway.modern("fixture").toolNames().isEmpty(), () -> "its tools were never listed");
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        gateway.close();
        fixture.close();
    }

    private HttpRequest.Builder post(String session, ObjectNode message) {
        URI url = gateway.url("fixture");
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(message)));
        return session.isEmpty() ? request : request.header("Mcp-Session-Id", session);
    }

    private static ObjectNode message(int id, String method, ObjectNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        message.set("params", params);
        return message;
    }

    private String session() throws IOException, InterruptedException {
        ObjectNode params = Json.object().put("protocolVersion", "2025-11-25");
        params.putObject("capabilities").putObject("sampling");
        params.putObject("clientInfo").put("name", "test").put("version", "1");
        HttpResponse<String> answer =
                http.send(post("", message(0, "initialize", params)).build(), HttpResponse.BodyHandlers.ofString());
        return answer.headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void theQuestionComesOnTheStreamOfTheCallAndTheAnswerGoesBack(Era era) throws IOException, InterruptedException {
        start(era);
        String session = session();
        ObjectNode params = Json.object().put("name", "test_sampling");
        params.putObject("arguments").put("prompt", "Say something.");
        HttpResponse<Stream<String>> stream =
                http.send(post(session, message(1, "tools/call", params)).build(), HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        JsonNode question = next(lines);
        assertEquals("sampling/createMessage", question.path("method").asText());
        assertEquals(
                "Say something.", question.at("/params/messages/0/content/text").asText());

        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", question.path("id"));
        ObjectNode result = answer.putObject("result").put("role", "assistant").put("model", "test");
        result.putObject("content").put("type", "text").put("text", "Something.");
        assertEquals(
                202,
                http.send(post(session, answer).build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode());
        assertEquals(
                "The model says: Something.",
                next(lines).at("/result/content/0/text").asText());
    }

    private static JsonNode next(Iterator<String> lines) throws IOException {
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("data: {")) {
                return Json.parse(line.substring("data: ".length()));
            }
        }
        throw new AssertionError("the stream ended");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    @Timeout(60)
    void aCallThatIsCancelledWhileItsClientIsAskedEnds(Era era) throws IOException, InterruptedException {
        start(era);
        String session = session();
        ObjectNode params = Json.object().put("name", "test_sampling");
        params.putObject("arguments").put("prompt", "Say something.");
        HttpResponse<Stream<String>> stream =
                http.send(post(session, message(1, "tools/call", params)).build(), HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        assertEquals("sampling/createMessage", next(lines).path("method").asText());
        ObjectNode cancelled = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        cancelled.putObject("params").put("requestId", 1);
        assertEquals(
                202,
                http.send(post(session, cancelled).build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode());
        while (lines.hasNext()) {
            String line = lines.next();
            assertFalse(line.contains("\"result\"") || line.contains("\"error\""), line);
        }
    }

    /** The server waits for an answer that will not come: it learns that from the end of its session. */
    @Test
    @Timeout(60)
    void aGatewayThatStopsWhileItsClientIsAskedEndsTheServersSession() throws IOException, InterruptedException {
        start(Era.LEGACY);
        ObjectNode params = Json.object().put("name", "test_sampling");
        params.putObject("arguments").put("prompt", "Say something.");
        HttpResponse<Stream<String>> stream = http.send(
                post(session(), message(1, "tools/call", params)).build(), HttpResponse.BodyHandlers.ofLines());
        assertEquals(
                "sampling/createMessage",
                next(stream.body().iterator()).path("method").asText());
        gateway.close();
        assertEquals(0, fixture.sessions());
    }

    /** A call of such a server is one request, and then another one. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LEGACY")
    @Timeout(60)
    void aClientThatDoesNotAnswerInTimeIsNotWaitedFor(Era era) throws IOException, InterruptedException {
        timeout = "3s";
        start(era);
        ObjectNode params = Json.object().put("name", "test_sampling");
        params.putObject("arguments").put("prompt", "Say something.");
        HttpResponse<Stream<String>> stream = http.send(
                post(session(), message(1, "tools/call", params)).build(), HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        assertEquals("sampling/createMessage", next(lines).path("method").asText());
        JsonNode answer = next(lines);
        assertTrue(answer.at("/error/message").asText().contains("did not answer in time"), answer::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"test_sampling", "test_elicitation"})
    void whereAServerAsksAClientThatHasDeclaredNothingTheCallFailsAndSaysSo(String tool) {
        start(Era.LEGACY);
        ToolResult result = gateway.modern("fixture").call(tool, Json.object());
        assertEquals("UNAVAILABLE", result.errorKind());
        assertTrue(result.text().contains("sent a request to its client"), result::text);
        assertTrue(result.text().contains("Use this tool with a client that declares"), result::text);
    }
}
