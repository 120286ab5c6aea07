package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.ReplySink.Urgency;

/**
 * Server-sent events on one response: framing, heartbeats, and a bounded queue for slow readers. Used on one event
 * loop only. Its timers end with {@link #release}.
 */
final class EventStream {
    private static final Buffer HEARTBEAT = Buffer.buffer(": keepalive\n\n");
    private static final byte[] MESSAGE = "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENDPOINT = "event: endpoint\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = {'\n', '\n'};
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final HttpLimits limits;
    private final Runnable cut;
    private final Deque<Buffer> waiting = new ArrayDeque<>();
    private final long heartbeat;
    private final Promise<Void> finished = Promise.promise();
    private int waitingBytes;
    private @Nullable Buffer latest;
    private boolean finishing;
    private boolean ended;
    private boolean released;
    private long stall = NO_TIMER;

    /**
     * Starts a stream.
     *
     * @param response its headers are prepared already
     * @param cut called when the reader is too slow
     */
    EventStream(Vertx vertx, HttpServerResponse response, HttpLimits limits, Runnable cut) {
        this.vertx = vertx;
        this.response = response;
        this.limits = limits;
        this.cut = cut;
        this.heartbeat = vertx.setPeriodic(limits.heartbeat().toMillis(), id -> beat());
        response.drainHandler(drained -> drain());
        response.writeHead();
    }

    /**
     * Starts a stream as the answer to a page of the console.
     *
     * @param gone called when its reader is gone
     * @param cut called when its reader is too slow
     */
    static EventStream toPage(Vertx vertx, HttpServerRequest request, HttpLimits limits, Runnable gone, Runnable cut) {
        HttpServerResponse response = request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader("X-Accel-Buffering", "no") // nginx would collect events
                .setChunked(true);
        response.closeHandler(_ -> gone.run());
        response.exceptionHandler(_ -> gone.run());
        return new EventStream(vertx, response, limits, cut);
    }

    /** Sends the event that names the URL to post messages to (HTTP+SSE, 2024-11-05). */
    void announce(String endpoint) {
        write(frame(ENDPOINT, endpoint.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Sends an empty event with {@code id}, so that the reader can resume after it (2025-11-25, "priming"). */
    void resumable(String id, Duration retry) {
        enqueue(Buffer.buffer("id: " + id + "\nretry: " + retry.toMillis() + "\ndata: \n\n"));
        drain();
    }

    /** Sends a message, with {@code id} unless that is empty. Not after {@link #finish}. */
    void send(String id, byte[] json, Urgency urgency) {
        Buffer frame = message(id, json);
        if (!blocked()) {
            write(frame);
            return;
        }
        switch (urgency) {
            case LATEST -> latest = frame;
            case KEEP, ANSWER -> {
                keepLatest(); // keeps the order of what was written before
                enqueue(frame);
                if (waitingBytes > limits.maxPendingBytes()) {
                    cut.run();
                }
            }
        }
    }

    /** Sends events that are framed already. Who sends more than a few asks {@link #caughtUp} first. */
    void sendFramed(Buffer frames) {
        if (blocked()) {
            enqueue(frames);
        } else {
            write(frames);
        }
    }

    /**
     * Ends the stream after everything that is waiting. The last event has {@code json}, unless that is empty.
     *
     * @param id the id of that event, or empty
     * @return completes when the reader has taken everything
     */
    Future<Void> finish(String id, byte[] json) {
        finishing = true;
        vertx.cancelTimer(heartbeat);
        keepLatest();
        if (json.length > 0) {
            enqueue(message(id, json));
        }
        drain();
        return finished.future();
    }

    void release() {
        released = true;
        vertx.cancelTimer(heartbeat);
        vertx.cancelTimer(stall);
        waiting.clear();
        latest = null;
    }

    private void keepLatest() {
        if (latest != null) {
            enqueue(latest);
            latest = null;
        }
    }

    private void enqueue(Buffer frame) {
        waiting.add(frame);
        waitingBytes += frame.length();
    }

    /** Whether the reader has taken what was sent. */
    boolean caughtUp() {
        return !blocked();
    }

    private boolean blocked() {
        return response.writeQueueFull() || !waiting.isEmpty();
    }

    private void beat() {
        if (!blocked()) {
            write(HEARTBEAT);
        }
    }

    private void drain() {
        vertx.cancelTimer(stall);
        stall = NO_TIMER;
        while (!waiting.isEmpty() && !response.writeQueueFull()) {
            Buffer frame = waiting.remove();
            waitingBytes -= frame.length();
            write(frame);
        }
        if (latest != null && !blocked()) {
            Buffer frame = latest;
            latest = null;
            write(frame);
        }
        if (finishing && waiting.isEmpty()) {
            if (!ended) {
                ended = true; // the drain handler may still be called while the end is on its way
                watch();
                response.end().onComplete(finished);
            }
        } else if (blocked()) {
            watch();
        }
    }

    private void write(Buffer frame) {
        Future<Void> written = response.write(frame);
        written.onFailure(failure -> cut.run());
        if (response.writeQueueFull()) {
            watch();
        }
    }

    /** From now on, the reader must take data within a time limit, or the stream is cut. */
    private void watch() {
        if (stall == NO_TIMER && !released) {
            stall = vertx.setTimer(limits.writeTimeout().toMillis(), id -> cut.run());
        }
    }

    private static Buffer message(String id, byte[] json) {
        Buffer frame = frame(MESSAGE, json);
        return id.isEmpty() ? frame : Buffer.buffer("id: " + id + "\n").appendBuffer(frame);
    }

    /**
     * Formats an event. Line breaks in JSON, which can only be white space between tokens, are replaced, because they
     * would end the event's line.
     */
    private static Buffer frame(byte[] head, byte[] data) {
        Buffer frame = Buffer.buffer(head.length + data.length + TAIL.length)
                .appendBytes(head)
                .appendBytes(data)
                .appendBytes(TAIL);
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\n' || data[i] == '\r') {
                frame.setByte(head.length + i, (byte) ' ');
            }
        }
        return frame;
    }
}
