package switchboard.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import switchboard.async.SseParser;
import switchboard.call.Json;
import switchboard.config.Secret;
import switchboard.protocol.MetaKeys;

/** A blocking MCP client (version 2026-07-28, Streamable HTTP), for commands that work on a running gateway. */
public final class McpClient implements AutoCloseable {
    private static final String VERSION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int LARGEST_EVENT = 256 * 1024 * 1024;
    private static final int PIECE = 16 * 1024;

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

    /** The same; the search log does not have it, because nobody wants to know. */
    public JsonNode callUnlogged(String name, ObjectNode arguments) {
        ObjectNode params = Json.object();
        params.put("name", name);
        params.set("arguments", arguments);
        params.putObject("_meta").put(MetaKeys.UNLOGGED, true);
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
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                boolean events =
                        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
                return result(
                        response.statusCode(),
                        events ? response(body, listener) : new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException | SseParser.TooLarge e) {
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

    /** The response among the events of {@code body}. All others are notifications. */
    private String response(InputStream body, ProgressListener listener) throws IOException {
        AtomicReference<String> response = new AtomicReference<>("");
        SseParser parser = new SseParser(LARGEST_EVENT, event -> {
            if (!event.data().isBlank() && !notified(event.data(), listener)) {
                response.set(event.data());
            }
        });
        byte[] piece = new byte[PIECE];
        for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
            parser.take(Buffer.buffer(length).appendBytes(piece, 0, length));
        }
        if (response.get().isEmpty()) {
            throw new McpException(endpoint + " ended the stream before its answer");
        }
        return response.get();
    }

    /** Whether {@code event} is a notification; progress goes to {@code listener}. */
    private static boolean notified(String event, ProgressListener listener) {
        try {
            JsonNode message = Json.parse(event);
            if (message.path("method").asText().equals("notifications/progress")) {
                JsonNode params = message.path("params");
                listener.at(
                        params.path("progress").asDouble(),
                        params.path("total").asDouble(),
                        params.path("message").asText());
            }
            return message.has("method");
        } catch (JsonProcessingException _) {
            return false; // the code that parses the response reports it
        }
    }
}
