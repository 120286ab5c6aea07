package switchboard.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.config.Secret;

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
    private final Optional<Secret> key;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final AtomicLong ids = new AtomicLong();

    /** A client of the view at {@code endpoint}; {@code timeout} bounds each answer. */
    public McpClient(URI endpoint, Duration timeout) {
        this(endpoint, timeout, Optional.empty());
    }

    /** The same with a key that it shows. */
    public McpClient(URI endpoint, Duration timeout, Optional<Secret> key) {
        this.endpoint = endpoint;
        this.timeout = timeout;
        this.key = key;
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
     * The same, told how far the tool is.
     *
     * @throws McpException if there is no such tool, or no answer
     */
    public JsonNode callTool(String name, ObjectNode arguments, ProgressListener listener) {
        ObjectNode params = Json.object();
        params.put("name", name);
        params.set("arguments", arguments);
        params.putObject("_meta").put("progressToken", ids.incrementAndGet());
        return request("tools/call", name, params, listener);
    }

    /** Follows a tool that says how far it is. */
    @FunctionalInterface
    public interface ProgressListener {
        /** So many of {@code total} steps are done; {@code total} is 0 while nobody knows. */
        void at(double done, double total, String what);
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
        return request(method, name, params, (_, _, _) -> {});
    }

    private JsonNode request(String method, String name, ObjectNode params, ProgressListener listener) {
        ObjectNode meta = params.withObject("/_meta");
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
        key.ifPresent(shown -> request.header("Authorization", "Bearer " + shown.reveal()));
        return exchange(request.build(), listener);
    }

    private JsonNode exchange(HttpRequest request, ProgressListener listener) {
        try {
            HttpResponse<Stream<String>> response = http.send(request, HttpResponse.BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                boolean events =
                        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
                return result(
                        response.statusCode(),
                        events ? lastEvent(lines, listener) : lines.collect(Collectors.joining("\n")));
            }
        } catch (IOException | UncheckedIOException e) {
            throw new McpException(
                    "no answer from " + endpoint + " (" + e.getClass().getSimpleName() + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new McpException("interrupted while waiting for " + endpoint, e);
        }
    }

    private JsonNode result(int status, String body) {
        try {
            JsonNode answer = Json.parse(body);
            if (answer.has("result")) {
                return answer.path("result");
            }
            String message = answer.path("error")
                    .path("message")
                    .asText(answer.path("error").asText());
            throw new McpException(endpoint + " answered " + status + ": " + message);
        } catch (JsonProcessingException e) {
            throw new McpException(endpoint + " answered " + status + " with something that is not MCP", e);
        }
    }

    /** The data of the last event: the response; those before it are notifications. */
    private static String lastEvent(Stream<String> lines, ProgressListener listener) {
        StringBuilder data = new StringBuilder();
        String last = "";
        for (String line : (Iterable<String>) lines::iterator) {
            if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                last = data.toString();
                data.setLength(0);
                progress(last, listener);
            }
        }
        return data.isEmpty() ? last : data.toString();
    }

    private static void progress(String event, ProgressListener listener) {
        try {
            JsonNode message = Json.parse(event);
            if (message.path("method").asText().equals("notifications/progress")) {
                JsonNode params = message.path("params");
                listener.at(
                        params.path("progress").asDouble(),
                        params.path("total").asDouble(),
                        params.path("message").asText());
            }
        } catch (JsonProcessingException _) {
            // Whoever reads the response will say so.
        }
    }
}
