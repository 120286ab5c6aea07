package switchboard.testing.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import switchboard.call.Json;

/** Real HTTP to a server on loopback. */
public final class HttpWire implements Wire, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    /** A wire to the server on {@code port}. */
    public HttpWire(int port) {
        this.port = port;
    }

    @Override
    public Reply send(Request request, int messages) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + request.path()))
                .timeout(PATIENCE)
                .method(
                        request.method(),
                        request.body() == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(request.body()));
        request.headers().forEach(builder::setHeader);
        try {
            HttpResponse<InputStream> response =
                    client.send(builder.build(), HttpResponse.BodyHandlers.ofInputStream());
            Map<String, String> headers = new HashMap<>();
            response.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
            try (InputStream body = response.body()) {
                boolean stream = headers.getOrDefault("content-type", "").startsWith("text/event-stream");
                return new Reply(response.statusCode(), headers, stream ? events(body, messages) : document(body));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(request.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }

    private static List<JsonNode> document(InputStream body) throws IOException {
        byte[] json = body.readAllBytes();
        return json.length == 0 ? List.of() : List.of(Json.parse(json));
    }

    private static List<JsonNode> events(InputStream body, int wanted) throws IOException {
        List<JsonNode> messages = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        while (messages.size() < wanted) {
            String line = lines.readLine();
            if (line == null) {
                return messages;
            }
            if (line.startsWith("data:")) {
                JsonNode message = parse(line.substring("data:".length()));
                messages.add(message);
                if (message.has("result") || message.has("error")) {
                    return messages;
                }
            }
        }
        return messages;
    }

    private static JsonNode parse(String data) {
        try {
            return Json.parse(data);
        } catch (JsonProcessingException e) {
            throw new AssertionError("an event that is not JSON: " + data, e);
        }
    }
}
