package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import switchboard.call.Json;

/**
 * A small MCP client over HTTP for tests, of either era. {@link #call} and {@link #result} fail the test on a protocol
 * error; {@link #request} and {@link #post} return whatever came.
 */
public final class McpTestClient implements ToolCaller, AutoCloseable {
    /** The modern version. */
    public static final String MODERN = "2026-07-28";
    /** The last version with sessions. */
    public static final String LEGACY = "2025-11-25";

    /** Longer than the tools of an engine that hangs may take, which is for the gateway to end. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final String META = "io.modelcontextprotocol/";

    private final URI endpoint;
    private final String version;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, String> extraHeaders = new LinkedHashMap<>();
    private final ObjectNode capabilities = Json.object();
    private final boolean modern;

    private McpTestClient(URI endpoint, String version, boolean modern) {
        this.endpoint = endpoint;
        this.version = version;
        this.modern = modern;
    }

    /** A client of version 2026-07-28. */
    public static McpTestClient modern(URI endpoint) {
        return new McpTestClient(endpoint, MODERN, true);
    }

    /** A client of version 2025-11-25 with a session of its own, opened now. */
    public static McpTestClient legacy(URI endpoint) {
        return legacy(endpoint, LEGACY);
    }

    /** A client of an older version with a session of its own, opened now. */
    public static McpTestClient legacy(URI endpoint, String version) {
        return legacy(endpoint, version, Map.of());
    }

    /** The same with headers that every request has, the first one too: a key. */
    public static McpTestClient legacy(URI endpoint, String version, Map<String, String> headers) {
        return legacy(endpoint, version, headers, Json.object());
    }

    /** The same for a client with capabilities. */
    public static McpTestClient legacy(
            URI endpoint, String version, Map<String, String> headers, ObjectNode capabilities) {
        McpTestClient client = new McpTestClient(endpoint, version, false);
        client.extraHeaders.putAll(headers);
        client.capabilities.setAll(capabilities);
        client.initialize();
        return client;
    }

    /** Sends a header with every further request: a key, an origin. */
    public McpTestClient with(String header, String value) {
        extraHeaders.put(header, value);
        return this;
    }

    /** Declares a capability in every further request of the modern era. */
    public McpTestClient able(String capability) {
        capabilities.putObject(capability);
        return this;
    }

    /** The same with its details. */
    public McpTestClient able(String capability, JsonNode details) {
        capabilities.set(capability, details);
        return this;
    }

    /** Declares the extension for tasks in every further request of the modern era. */
    public McpTestClient withTasks() {
        ObjectNode extensions = Json.object();
        extensions.putObject("io.modelcontextprotocol/tasks");
        return able("extensions", extensions);
    }

    /** The session's id; empty in the modern era. */
    public String session() {
        return extraHeaders.getOrDefault("Mcp-Session-Id", "");
    }

    @Override
    public ToolResult call(String tool, ObjectNode arguments) {
        ObjectNode params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return new ToolResult(result("tools/call", params));
    }

    /** The names that {@code tools/list} shows, all pages. */
    public List<String> toolNames() {
        List<String> names = new ArrayList<>();
        tools().forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    /** The entries of {@code tools/list}, all pages. */
    public List<JsonNode> tools() {
        List<JsonNode> tools = new ArrayList<>();
        String cursor = "";
        do {
            ObjectNode params = Json.object();
            if (!cursor.isEmpty()) {
                params.put("cursor", cursor);
            }
            JsonNode page = result("tools/list", params);
            page.path("tools").forEach(tools::add);
            cursor = page.path("nextCursor").asText();
        } while (!cursor.isEmpty());
        return tools;
    }

    /** The {@code result} of a request; a protocol error fails the test. */
    public JsonNode result(String method, ObjectNode params) {
        HttpReply reply = request(method, params);
        JsonNode message = reply.json();
        if (!message.has("result")) {
            throw new AssertionError(method + " answered " + reply.status() + " " + message);
        }
        return message.path("result");
    }

    /** Sends a request with all that its era demands, and returns the answer as it came. */
    public HttpReply request(String method, ObjectNode params) {
        return request(method, params, Json.object());
    }

    /** The same with further members of {@code _meta}: a progress token, a trace. */
    public HttpReply request(String method, ObjectNode params, ObjectNode meta) {
        ObjectNode message = Json.object();
        message.put("jsonrpc", "2.0").put("id", ids.incrementAndGet()).put("method", method);
        ObjectNode complete = params.deepCopy();
        ObjectNode envelope = meta.deepCopy();
        if (modern) {
            envelope.put(META + "protocolVersion", version).set(META + "clientCapabilities", capabilities.deepCopy());
        }
        if (!envelope.isEmpty()) {
            complete.set("_meta", envelope);
        }
        message.set("params", complete);
        return post(Json.text(message), headers(method, complete));
    }

    /** Sends a notification; returns the answer as it came. */
    public HttpReply notify(String method, ObjectNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
        message.set("params", params);
        return post(Json.text(message), headers(method, params));
    }

    /** Posts any text with the content type of JSON and {@code headers}, and nothing that an era demands. */
    public HttpReply post(String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(TIMEOUT)
                .setHeader("Content-Type", "application/json")
                .setHeader("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        extraHeaders.forEach(request::setHeader);
        headers.forEach(request::setHeader);
        return send(request.build());
    }

    /** Ends the session. */
    public HttpReply delete() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(endpoint).timeout(TIMEOUT).DELETE();
        extraHeaders.forEach(request::setHeader);
        return send(request.build());
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }

    private void initialize() {
        ObjectNode params = Json.object().put("protocolVersion", version);
        params.set("capabilities", capabilities);
        params.putObject("clientInfo").put("name", "test").put("version", "1");
        HttpReply reply = request("initialize", params);
        if (reply.status() != 200 || reply.header("Mcp-Session-Id").isEmpty()) {
            throw new AssertionError("initialize answered " + reply.status() + " " + reply.body());
        }
        with("Mcp-Session-Id", reply.header("Mcp-Session-Id"));
        with(
                "MCP-Protocol-Version",
                reply.json().path("result").path("protocolVersion").asText());
        notify("notifications/initialized", Json.object());
    }

    private Map<String, String> headers(String method, ObjectNode params) {
        if (!modern) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("MCP-Protocol-Version", version);
        headers.put("Mcp-Method", method);
        switch (method) {
            case "tools/call", "prompts/get" ->
                headers.put("Mcp-Name", params.path("name").asText());
            case "resources/read" -> headers.put("Mcp-Name", params.path("uri").asText());
            case "tasks/get", "tasks/update", "tasks/cancel" ->
                headers.put("Mcp-Name", params.path("taskId").asText());
            default -> {}
        }
        return headers;
    }

    private HttpReply send(HttpRequest request) {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new HttpReply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new AssertionError("no answer from " + endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
