package switchboard.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import switchboard.call.Json;

/**
 * Asks a gateway over MCP (version 2026-07-28, Streamable HTTP) and waits for the answers: what the commands that work
 * on a running gateway use.
 */
public final class McpClient implements AutoCloseable {
    private static final String VERSION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final URI endpoint;
    private final Duration timeout;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final AtomicLong ids = new AtomicLong();

    /** A client of the view at {@code endpoint}; {@code timeout} bounds each answer. */
    public McpClient(URI endpoint, Duration timeout) {
        this.endpoint = endpoint;
        this.timeout = timeout;
    }

    /** Where it asks. */
    public URI endpoint() {
        return endpoint;
    }

    /**
     * Calls a tool; returns the {@code result} object, whose {@code isError} says whether the tool failed.
     *
     * @throws McpException if there is no such tool, or no answer
     */
    public JsonNode callTool(String name, ObjectNode arguments) {
        ObjectNode params = Json.object();
        params.put("name", name);
        params.set("arguments", arguments);
        return request("tools/call", name, params);
    }

    /**
     * What the gateway says about itself.
     *
     * @throws McpException if there is no answer
     */
    public JsonNode discover() {
        return request("server/discover", "", Json.object());
    }

    @Override
    public void close() {
        http.close();
    }

    private JsonNode request(String method, String name, ObjectNode params) {
        ObjectNode meta = params.putObject("_meta");
        meta.put(META + "protocolVersion", VERSION);
        meta.putObject(META + "clientCapabilities");
        meta.putObject(META + "clientInfo").put("name", "switchboard").put("version", Installation.version());
        ObjectNode message = Json.object();
        message.put("jsonrpc", "2.0").put("id", ids.incrementAndGet()).put("method", method);
        message.set("params", params);
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", VERSION)
                .header("Mcp-Method", method)
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(message)));
        if (!name.isEmpty()) {
            request.header("Mcp-Name", name);
        }
        return result(exchange(request.build()));
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new McpException(
                    "no answer from " + endpoint + " (" + e.getClass().getSimpleName() + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new McpException("interrupted while waiting for " + endpoint, e);
        }
    }

    private JsonNode result(HttpResponse<String> response) {
        String body = response.body();
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")) {
            body = lastEvent(body);
        }
        try {
            JsonNode answer = Json.parse(body);
            if (answer.has("result")) {
                return answer.path("result");
            }
            String message = answer.path("error")
                    .path("message")
                    .asText(answer.path("error").asText());
            throw new McpException(endpoint + " answered " + response.statusCode() + ": " + message);
        } catch (JsonProcessingException e) {
            throw new McpException(
                    endpoint + " answered " + response.statusCode() + " with something that is not MCP", e);
        }
    }

    /** The data of the last event: the response; those before it are notifications. */
    private static String lastEvent(String stream) {
        String last = "";
        StringBuilder data = new StringBuilder();
        for (String line : stream.lines().toList()) {
            if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                last = data.toString();
                data.setLength(0);
            }
        }
        return data.isEmpty() ? last : data.toString();
    }
}
