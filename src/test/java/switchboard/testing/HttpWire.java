package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.Json;

/** Sends the requests of wire spec files to a server on loopback. */
public final class HttpWire implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final byte[] NOTHING = {};

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    /** A wire to the server on {@code port}. */
    public HttpWire(int port) {
        this.port = port;
    }

    /**
     * Sends {@code request} and waits for the answer: a document, or a stream until it ends, or has brought an answer or
     * {@code messages} messages, whichever comes first.
     */
    public RpcSpec.Reply send(RpcSpec.Request request, int messages) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + request.path()))
                .timeout(PATIENCE)
                .method(
                        request.method(),
                        request.body().length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(request.body()));
        request.headers().forEach(builder::setHeader);
        HttpResponse<InputStream> response = client.send(builder.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            List<JsonNode> events = new ArrayList<>();
            byte[] last =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")
                            ? lastOf(body, messages, events)
                            : body.readAllBytes();
            return new RpcSpec.Reply(
                    response.statusCode(),
                    name -> response.headers().firstValue(name).orElse(null),
                    events,
                    last);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }

    /** The last message of a stream; those before it are added to {@code events}. */
    private static byte[] lastOf(InputStream stream, int wanted, List<JsonNode> events) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        while (events.size() < wanted) {
            String line = lines.readLine();
            if (line == null) {
                return NOTHING;
            }
            String data =
                    line.startsWith("data:") ? line.substring("data:".length()).strip() : "";
            if (data.isEmpty()) {
                continue; // a comment, another field, or the event that only has an id, by which to come back
            }
            JsonNode message = Json.parse(data);
            if (message.isArray() || message.has("result") || message.has("error")) {
                return data.getBytes(StandardCharsets.UTF_8);
            }
            events.add(message);
        }
        return NOTHING;
    }
}
