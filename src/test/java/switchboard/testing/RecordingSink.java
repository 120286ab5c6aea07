package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.call.Json;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/** A sink that remembers what it is given until its reader leaves; runs what it is told to execute at once. */
public final class RecordingSink implements ReplySink {
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final List<Urgency> urgencies = new CopyOnWriteArrayList<>();
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<Runnable> onGone = new ArrayList<>();
    private final CompletableFuture<RecordingSink> over = new CompletableFuture<>();
    private volatile int status;
    private volatile byte[] json = {};
    private volatile boolean open;
    private volatile boolean gone;
    private volatile boolean behind;

    @Override
    public synchronized void end(int endStatus, Map<String, String> endHeaders, EncodedJson endJson) {
        if (gone) {
            return;
        }
        if (closed()) {
            throw new IllegalStateException("ended twice");
        }
        if (!open) {
            status = endStatus;
            headers.putAll(endHeaders);
        }
        json = endJson.bytes();
        over.complete(this);
    }

    @Override
    public synchronized void open(Map<String, String> openHeaders) {
        if (!open) {
            open = true;
            status = 200;
            headers.putAll(openHeaders);
            headers.put("Content-Type", "text/event-stream");
        }
    }

    @Override
    public synchronized void event(byte[] event, Urgency urgency) {
        if (gone) {
            return;
        }
        if (closed()) {
            throw new IllegalStateException("an event after the end");
        }
        open(Map.of());
        events.add(parse(event));
        urgencies.add(urgency);
    }

    @Override
    public synchronized void close() {
        over.complete(this);
    }

    @Override
    public boolean closed() {
        return gone || over.isDone();
    }

    @Override
    public synchronized void onGone(Runnable action) {
        if (gone) {
            action.run();
        } else {
            onGone.add(action);
        }
    }

    @Override
    public void execute(Runnable action) {
        action.run();
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        return () -> {};
    }

    @Override
    public boolean caughtUp() {
        return !behind;
    }

    /** Whether its reader has not taken yet what was sent. */
    public void behind(boolean slow) {
        behind = slow;
    }

    /** The other side goes away. */
    public synchronized void leave() {
        if (!closed()) {
            gone = true;
            List<Runnable> waiting = List.copyOf(onGone);
            onGone.clear();
            waiting.forEach(Runnable::run);
        }
    }

    /** Waits for the end. */
    public RecordingSink await() {
        return over.orTimeout(120, java.util.concurrent.TimeUnit.SECONDS).join();
    }

    /** Whether it has ended. */
    public boolean over() {
        return over.isDone();
    }

    /** Whether it became a stream. */
    public boolean streamed() {
        return open;
    }

    /** The status it ended with. */
    public int status() {
        return status;
    }

    /** The headers it was given. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The messages before the last. */
    public List<JsonNode> events() {
        return List.copyOf(events);
    }

    /** How urgent they were. */
    public List<Urgency> urgencies() {
        return List.copyOf(urgencies);
    }

    /** The last message, as bytes; empty for none. */
    public byte[] bytes() {
        return json.clone();
    }

    /** The last message. */
    public JsonNode json() {
        return parse(json);
    }

    private static JsonNode parse(byte[] bytes) {
        try {
            return Json.parse(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
