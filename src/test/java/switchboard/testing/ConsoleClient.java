package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import switchboard.call.Json;

/** Asks a console as one of its own pages does, with the cookie of a session once it has signed in. */
public final class ConsoleClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final URI console;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> headers = new LinkedHashMap<>(Map.of("Sec-Fetch-Site", "same-origin"));

    /** A browser without a session, at the console {@code console}. */
    public ConsoleClient(URI console) {
        this.console = console;
    }

    /** Sends another header, or another value of one, with every further request. */
    public ConsoleClient with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    /** Sends a header no more. */
    public ConsoleClient without(String header) {
        headers.remove(header);
        return this;
    }

    /** Signs in, and keeps the cookie that comes back. */
    public HttpReply signIn(String key) {
        HttpReply reply = send("POST", "api/v1/session", Json.text(Json.object().put("key", key)));
        String cookie = reply.header("Set-Cookie");
        if (!cookie.isEmpty()) {
            headers.put("Cookie", cookie.split(";", 2)[0]);
        }
        return reply;
    }

    /** The cookie that it sends; empty before it has signed in. */
    public String cookie() {
        return headers.getOrDefault("Cookie", "");
    }

    /** Reads {@code path}. */
    public HttpReply get(String path) {
        return send("GET", path, "");
    }

    /** Sends JSON. */
    public HttpReply post(String path, ObjectNode body) {
        return send("POST", path, Json.text(body));
    }

    /** What it sends as {@code name} with every request; empty if nothing. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Sends a request with any method, and JSON or nothing. */
    public HttpReply send(String method, String path, String body) {
        return send(method, path, body.isEmpty() ? "" : "application/json", body.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a request with any method and body; an empty {@code type} is not sent. */
    public HttpReply send(String method, String path, String type, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(console.resolve(path))
                .timeout(TIMEOUT)
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (!type.isEmpty()) {
            request.setHeader("Content-Type", type);
        }
        headers.forEach(request::setHeader);
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new HttpReply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Opens the stream of events at {@code path}; {@code more} are names and values of headers in turn. */
    public EventReader events(String path, String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        headers.forEach((name, value) -> all.addAll(List.of(name, value)));
        try {
            return EventReader.open(http, console.resolve(path), all.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends JSON, and opens the stream of events that answers it. */
    public EventReader postForEvents(String path, ObjectNode body) {
        List<String> all = new ArrayList<>();
        headers.forEach((name, value) -> all.addAll(List.of(name, value)));
        try {
            return EventReader.post(http, console.resolve(path), Json.text(body), all.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** An MCP client of 2026-07-28 with the session of this browser. The caller closes it. */
    public McpTestClient mcp(String view) {
        McpTestClient client = McpTestClient.modern(console.resolve("api/v1/mcp?view=" + view));
        headers.forEach(client::with);
        return client;
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
