package switchboard.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads a stream of server-sent events, one at a time; each wait is bounded. */
public final class EventReader implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final String END = "";

    private final InputStream body;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> comments = new LinkedBlockingQueue<>();

    /**
     * An event.
     *
     * @param name its type
     * @param data its data
     * @param id its id; empty if it has none
     */
    public record Event(String name, String data, String id) {}

    private EventReader(InputStream body) {
        this.body = body;
        Thread.ofVirtual().start(this::read);
    }

    /** Opens a stream; {@code headers} are names and values in turn. Anything but 200 fails the test. */
    public static EventReader open(HttpClient http, URI uri, String... headers)
            throws IOException, InterruptedException {
        return opened(get(http, uri, headers));
    }

    private static EventReader opened(HttpResponse<InputStream> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.uri() + " answered " + response.statusCode() + " "
                    + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        return new EventReader(response.body());
    }

    /** Opens the stream that answers JSON; {@code headers} as above. */
    public static EventReader post(HttpClient http, URI uri, String json, String... headers)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .headers(headers)
                .header("Accept", "text/event-stream")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return opened(http.send(request, HttpResponse.BodyHandlers.ofInputStream()));
    }

    /** The status of a stream that is not opened. */
    public static int status(HttpClient http, URI uri) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = get(http, uri);
        response.body().close();
        return response.statusCode();
    }

    /** The next event; none in time, or the end, fails the test. */
    public Event next() throws InterruptedException {
        Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (event == null || event.name().equals(END)) {
            throw new AssertionError(event == null ? "no event came" : "the stream ended");
        }
        return event;
    }

    /** The next comment. */
    public String comment() throws InterruptedException {
        String comment = comments.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (comment == null) {
            throw new AssertionError("no comment came");
        }
        return comment;
    }

    /** Waits for the end; whether nothing else came before it. */
    public boolean ended() throws InterruptedException {
        Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return event != null && event.name().equals(END);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    private static HttpResponse<InputStream> get(HttpClient http, URI uri, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String name = "message";
            String id = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(":")) {
                    comments.add(line);
                } else if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.startsWith("id:")) {
                    id = line.substring("id:".length()).strip();
                } else if (line.startsWith("data:")) {
                    events.add(new Event(name, line.substring("data:".length()).strip(), id));
                    name = "message";
                    id = "";
                }
            }
        } catch (IOException closed) {
            // As good as the end.
        }
        events.add(new Event(END, "", ""));
    }
}
