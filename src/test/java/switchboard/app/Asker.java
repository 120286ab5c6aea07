package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ToolResult;

/**
 * Asks standing questions with a key, over MCP.
 *
 * @param url the gateway
 */
record Asker(URI url, ApiKey key) {
    private static final String ENVELOPE = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    McpTestClient client() {
        return McpTestClient.modern(url).with("Authorization", "Bearer " + key.text());
    }

    ToolResult call(ObjectNode arguments) {
        return client().call("watch_search", arguments);
    }

    /** The questions of an answer that is no refusal. */
    JsonNode ok(ObjectNode arguments) {
        ToolResult result = call(arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().path("watches");
    }

    /** The URI of a new question. */
    String ask(ObjectNode arguments) {
        JsonNode watches = ok(arguments);
        assertEquals(1, watches.size(), watches::toString);
        JsonNode watch = watches.get(0);
        assertEquals("active", watch.path("status").asText());
        assertEquals(0, watch.path("news").size(), "what is there already is no news");
        return watch.path("watch").asText();
    }

    JsonNode read(String watch) {
        return ok(Json.object().put("watch", watch)).get(0);
    }

    /** What is told of questions, and of the list of them. */
    RawHttp listening(String... watches) {
        RawHttp stream = new RawHttp(url.getPort());
        stream.post(
                "/mcp",
                "X-API-Key: " + key.text()
                        + "\nAccept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                        + "Mcp-Method: subscriptions/listen\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
                        + "{\"notifications\":{\"resourcesListChanged\":true,\"resourceSubscriptions\":["
                        + Arrays.stream(watches).map(watch -> '"' + watch + '"').collect(Collectors.joining(","))
                        + "]}," + ENVELOPE + "}}");
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream;
    }

    /** The stream of a session that is subscribed to questions, and was made at {@code maker}. */
    RawHttp session(URI maker, String... watches) {
        McpTestClient legacy = McpTestClient.legacy(maker, McpTestClient.LEGACY, Map.of("X-API-Key", key.text()));
        for (String watch : List.of(watches)) {
            assertEquals(
                    200,
                    legacy.request("resources/subscribe", Json.object().put("uri", watch))
                            .status());
        }
        RawHttp stream = new RawHttp(url.getPort());
        stream.get(
                        "/mcp",
                        "X-API-Key: " + key.text() + "\nMcp-Session-Id: " + legacy.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }

    /** What a stream has that tells of news of {@code watch}. */
    static String updated(String watch) {
        return "\"uri\":\"" + watch + "\"";
    }

    /** How often {@code seen}, all of a stream, tells of news of {@code watch}. */
    static int updates(String seen, String watch) {
        return seen.split(Pattern.quote(updated(watch)), -1).length - 1;
    }
}
