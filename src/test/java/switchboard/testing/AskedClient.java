package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import switchboard.call.Json;

/**
 * A client of 2025-11-25 that can be asked for everything, shows pages, hears everything, and answers each question with a text of its
 * own at once. Calls run beside each other.
 */
public final class AskedClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;
    private final String answer;
    private final Map<String, String> headers;
    private final AtomicLong ids = new AtomicLong();
    private final List<JsonNode> heard = new CopyOnWriteArrayList<>();
    private final String session;

    /** A call under way; {@code response} is its JSON-RPC response. */
    public record Call(long id, CompletableFuture<JsonNode> response) {
        /** Its response, which is waited for. */
        public JsonNode answer() {
            return waitedFor(response);
        }

        /** The text of its result. */
        public String text() {
            return answer().at("/result/content/0/text").asText();
        }
    }

    /** A client that shows {@code headers} and answers {@code answer}. */
    public AskedClient(URI endpoint, Map<String, String> headers, String answer) {
        this.endpoint = endpoint;
        this.headers = headers;
        this.answer = answer;
        ObjectNode params = Json.object().put("protocolVersion", McpTestClient.LEGACY);
        ObjectNode capabilities = params.putObject("capabilities");
        List.of("sampling", "elicitation", "roots").forEach(capabilities::putObject);
        capabilities
                .putObject("extensions")
                .putObject("io.modelcontextprotocol/ui")
                .putArray("mimeTypes")
                .add("text/html;profile=mcp-app");
        params.putObject("clientInfo").put("name", "asked").put("version", "1");
        ObjectNode message = Json.object()
                .put("jsonrpc", "2.0")
                .put("id", ids.incrementAndGet())
                .put("method", "initialize");
        message.set("params", params);
        this.session = waitedFor(send(message, "", HttpResponse.BodyHandlers.discarding()))
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
        post(Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized"));
        ObjectNode level = Json.object()
                .put("jsonrpc", "2.0")
                .put("id", ids.incrementAndGet())
                .put("method", "logging/setLevel");
        level.putObject("params").put("level", "debug");
        post(level);
    }

    /** Begins a call. */
    public Call call(String tool) {
        return call(tool, Json.object());
    }

    /** Begins a call. */
    public Call call(String tool, ObjectNode arguments) {
        long id = ids.incrementAndGet();
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", "tools/call");
        ObjectNode params = message.putObject("params").put("name", tool);
        params.set("arguments", arguments);
        params.putObject("_meta").put("progressToken", id);
        CompletableFuture<JsonNode> response = new CompletableFuture<>();
        send(message, session, HttpResponse.BodyHandlers.ofLines())
                .thenAcceptAsync(stream -> read(stream.body(), id, response))
                .whenComplete((_, failure) -> response.completeExceptionally(
                        failure == null ? new IOException("the stream ended without a response") : failure));
        return new Call(id, response);
    }

    /** Takes a call back. */
    public void cancel(Call call) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        message.putObject("params").put("requestId", call.id());
        post(message);
    }

    /** Everything that came on streams of calls, but their responses. */
    public List<JsonNode> heard() {
        return List.copyOf(heard);
    }

    private void read(Stream<String> lines, long id, CompletableFuture<JsonNode> response) {
        lines.map(line -> line.startsWith("data:") ? line.substring("data:".length()) : line)
                .filter(line -> line.strip().startsWith("{"))
                .map(AskedClient::parsed)
                .forEach(message -> take(message, id, response));
    }

    private void take(JsonNode message, long id, CompletableFuture<JsonNode> response) {
        if (!message.has("method")) {
            if (message.path("id").asLong() == id) {
                response.complete(message);
            }
            return;
        }
        heard.add(message);
        if (message.has("id")) {
            ObjectNode reply = Json.object().put("jsonrpc", "2.0");
            reply.set("id", message.path("id"));
            ObjectNode result = reply.putObject("result").put("action", "accept");
            result.putObject("content").put("answer", answer);
            result.put("role", "assistant").put("model", answer);
            post(reply);
        }
    }

    private void post(ObjectNode message) {
        waitedFor(send(message, session, HttpResponse.BodyHandlers.discarding()));
    }

    private static <T> T waitedFor(CompletableFuture<T> future) {
        return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    private <T> CompletableFuture<HttpResponse<T>> send(
            ObjectNode message, String in, HttpResponse.BodyHandler<T> handler) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(message)));
        headers.forEach(request::header);
        if (!in.isEmpty()) {
            request.header("Mcp-Session-Id", in);
        }
        return http.sendAsync(request.build(), handler);
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line.strip());
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
