package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import switchboard.call.Json;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.TaskExtension;

/** What a client that knows tasks does with them. */
public record TaskClient(McpTestClient client) {
    private static final Set<String> ENDS = Set.of("completed", "failed", "cancelled");

    /** The id of the task that a call of {@code tool} becomes; anything else fails the test. */
    public String begin(String tool, ObjectNode arguments) {
        JsonNode created = call(tool, arguments);
        assertEquals("task", created.path("resultType").asText(), created::toString);
        return created.path("taskId").asText();
    }

    /** The result of a call of {@code tool}. */
    public JsonNode call(String tool, ObjectNode arguments) {
        ObjectNode params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return client.result("tools/call", params);
    }

    /** The answer to a request about a task, as it came. */
    public HttpReply ask(String method, String id) {
        ObjectNode params = Json.object().put("taskId", id);
        if (method.equals("tasks/update")) {
            params.putObject("inputResponses");
        }
        return client.request(method, params);
    }

    /** The task now. */
    public JsonNode get(String id) {
        return client.result("tasks/get", Json.object().put("taskId", id));
    }

    /** Its status now. */
    public String status(String id) {
        return get(id).path("status").asText();
    }

    /** The task once it has ended. */
    public JsonNode ended(String id) {
        return Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> get(id),
                task -> ENDS.contains(task.path("status").asText()));
    }

    /** Cancels it. */
    public JsonNode cancel(String id) {
        return client.result("tasks/cancel", Json.object().put("taskId", id));
    }

    /**
     * A stream that listens to the tasks {@code ids}.
     *
     * @param headers further header lines, each ended by a line break
     */
    public static RawHttp listen(TestGateway gateway, String headers, String... ids) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 7).put("method", "subscriptions/listen");
        ObjectNode params = message.putObject("params");
        List.of(ids).forEach(params.putObject("notifications").putArray("taskIds")::add);
        ObjectNode meta = params.putObject("_meta").put(MetaKeys.PROTOCOL_VERSION, "2026-07-28");
        TaskExtension.declare(meta.putObject(MetaKeys.CLIENT_CAPABILITIES));
        return new RawHttp(gateway.url().getPort())
                .post(
                        "/mcp",
                        "Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                                + "Mcp-Method: subscriptions/listen\n" + headers,
                        Json.text(message));
    }

    /** The code of the error to asking for a task, with its message. */
    public static String error(HttpReply reply) {
        JsonNode error = reply.json().path("error");
        return error.path("code").asInt() + " " + error.path("message").asText();
    }
}
