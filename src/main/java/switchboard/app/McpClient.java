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

/** A blocking MCP client (version 2026-07-28, Streamable HTTP), for commands that work on a running gateway. */
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

    /**
     * A client for the view at {@code endpoint}.
     *
     * @param timeout time limit of each answer
     */
    public McpClient(URI endpoint, Duration timeout) {
        this(endpoint, timeout, Optional.empty());
    }

    /** The same, authenticated with {@code key}. */
    public McpClient(URI endpoint, Duration timeout, Optional<Secret> key) {
        this.endpoint = endpoint;
        this.timeout = timeout;
        this.key = key;
    }

    /** The URL of the view. */
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

    /** The same, with progress notifications for {@code listener}. */
    public JsonNode callTool(String name, ObjectNode arguments, ProgressListener listener) {
        ObjectNode params = Json.object();
        params.put("name", name);
        params.set("arguments", arguments);
        params.putObject("_meta").put("progressToken", ids.incrementAndGet());
        return request("tools/call", name, params, listener);
    }

    /** Receives progress of a tool. */
    @FunctionalInterface
    public interface ProgressListener {
        /** {@code done} of {@code total} steps are done. {@code total} is 0 if it is not known. */
        void at(double done, double total, String what);
    }

    /**
     * The answer to {@code server/discover}.
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

    /** The data of the last event, which is the response. The events before it are notifications. */
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
            // Ignored here: the code that parses the response reports it.
        }
    }
}
