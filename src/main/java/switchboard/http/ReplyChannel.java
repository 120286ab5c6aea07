package switchboard.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/**
 * The response to one HTTP request: at first undecided, then one JSON document or an event stream. It holds a bounded
 * amount of data for a slow reader and waits for it for a bounded time. Used on the request's event loop only.
 */
final class ReplyChannel implements ReplySink {
    private static final int NO_CONTENT = 204;
    private static final String NO_ID = "";

    /** The state of the response. */
    private sealed interface Phase {
        /** Nothing has been written. */
        record Undecided() implements Phase {}

        /** An event stream is open. */
        record Sse(EventStream events) implements Phase {}

        /** Everything has been written; the reader may still be receiving it. */
        record Finishing(Runnable release) implements Phase {}

        /** Finished. {@code gone} means that the reader disconnected before the end. */
        record Closed(boolean gone) implements Phase {}
    }

    private final Vertx vertx;
    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final HttpLimits limits;
    private final DeadlineQueues deadlineQueues;
    private final HttpMeters meters;
    private final Runnable over;
    private final List<Runnable> onGone = new ArrayList<>(1);
    private Phase state = new Phase.Undecided();

    /**
     * A response that nothing was written to.
     *
     * @param deadlineQueues those of the request's event loop
     * @param over called once when the exchange has ended in any way
     */
    ReplyChannel(
            Vertx vertx,
            HttpServerRequest request,
            HttpLimits limits,
            DeadlineQueues deadlineQueues,
            HttpMeters meters,
            Runnable over) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.response = request.response();
        this.limits = limits;
        this.deadlineQueues = deadlineQueues;
        this.meters = meters;
        this.over = over;
        meters.exchangeOpened();
        response.closeHandler(closed -> leave());
        response.exceptionHandler(failure -> leave());
        if (response.closed()) {
            leave();
        }
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        switch (state) {
            case Phase.Undecided _ -> answer(status, headers, json);
            case Phase.Sse(EventStream events) -> finish(events, NO_ID, json.bytes());
            case Phase.Finishing _, Phase.Closed _ -> {}
        }
    }

    @Override
    public void open(Map<String, String> headers) {
        if (!(state instanceof Phase.Undecided)) {
            return;
        }
        headers.forEach(response::putHeader);
        response.setStatusCode(200)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache, no-transform")
                .putHeader("X-Accel-Buffering", "no")
                .setChunked(true);
        meters.streamOpened();
        state = new Phase.Sse(new EventStream(vertx, response, limits, this::cut));
    }

    /** Sends, on the open stream, the URL to post messages to. */
    void announce(String endpoint) {
        if (state instanceof Phase.Sse(EventStream events)) {
            events.announce(endpoint);
        }
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        open(Map.of());
        if (state instanceof Phase.Sse(EventStream events)) {
            events.send(NO_ID, json, urgency);
        }
    }

    @Override
    public void resumable(String id, Duration retry) {
        if (state instanceof Phase.Sse(EventStream events)) {
            events.resumable(id, retry);
        }
    }

    @Override
    public void event(String id, byte[] json, Urgency urgency) {
        if (state instanceof Phase.Sse(EventStream events)) {
            events.send(id, json, urgency);
        }
    }

    @Override
    public void end(String id, byte[] json) {
        if (state instanceof Phase.Sse(EventStream events)) {
            finish(events, id, json);
        }
    }

    @Override
    public boolean caughtUp() {
        return !(state instanceof Phase.Sse(EventStream events)) || events.caughtUp();
    }

    @Override
    public void close() {
        end(NO_CONTENT, Map.of(), EncodedJson.NOTHING);
    }

    @Override
    public boolean closed() {
        return switch (state) {
            case Phase.Undecided _, Phase.Sse _ -> false;
            case Phase.Finishing _, Phase.Closed _ -> true;
        };
    }

    @Override
    public void onGone(Runnable action) {
        switch (state) {
            case Phase.Undecided _, Phase.Sse _ -> onGone.add(action);
            case Phase.Closed(boolean gone) when gone -> action.run();
            case Phase.Finishing _, Phase.Closed _ -> {}
        }
    }

    @Override
    public void execute(Runnable action) {
        context.runOnContext(ignored -> action.run());
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        return deadlineQueues.of(delay).begin(action)::met;
    }

    private void answer(int status, Map<String, String> headers, EncodedJson json) {
        DeadlineQueue.Deadline deadline =
                deadlineQueues.of(limits.writeTimeout()).begin(this::cut);
        state = new Phase.Finishing(deadline::met);
        headers.forEach(response::putHeader);
        response.setStatusCode(status);
        if (json.length() > 0) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        }
        ByteBuf body = body(coded(json));
        response.end(BufferInternal.buffer(body)).onComplete(written -> {
            body.release();
            leave();
        });
    }

    /**
     * The parts as one buffer, in which large ones are not copied. All are outside of the heap, because Netty copies a buffer of
     * several parts twice if one is not.
     */
    private static ByteBuf body(List<ByteBuffer> parts) {
        if (parts.size() <= 1) {
            return parts.isEmpty() ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(parts.getFirst());
        }
        CompositeByteBuf body = ByteBufAllocator.DEFAULT.compositeDirectBuffer(parts.size());
        for (ByteBuffer part : parts) {
            body.addComponent(
                    true,
                    part.isDirect()
                            ? Unpooled.wrappedBuffer(part)
                            : ByteBufAllocator.DEFAULT
                                    .directBuffer(part.remaining())
                                    .writeBytes(part.duplicate()));
        }
        return body;
    }

    /** The parts of the response, compressed if that is worth it and the client accepts it. */
    private List<ByteBuffer> coded(EncodedJson json) {
        if (!json.compressible()) {
            return json.parts();
        }
        response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        if (!AcceptedCodings.gzip(request)) {
            return json.parts();
        }
        response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        return json.gzip();
    }

    private void finish(EventStream events, String id, byte[] json) {
        state = new Phase.Finishing(() -> release(events));
        events.finish(id, json).onComplete(written -> leave());
    }

    /** Ends the exchange of a reader that is too slow, but no other stream of its connection. */
    private void cut() {
        if (!(state instanceof Phase.Closed)) {
            meters.readerCut();
            leave();
            Http2Streams.endExchange(request);
        }
    }

    /**
     * Releases everything when the reader has finished or disconnected. In the second case the listener for
     * cancellation is called.
     */
    private void leave() {
        Phase last = state;
        switch (last) {
            case Phase.Undecided _ -> state = new Phase.Closed(true);
            case Phase.Sse(EventStream events) -> {
                state = new Phase.Closed(true);
                release(events);
            }
            case Phase.Finishing(Runnable release) -> {
                state = new Phase.Closed(false);
                release.run();
            }
            case Phase.Closed _ -> {
                return;
            }
        }
        meters.exchangeClosed();
        over.run();
        if (!(last instanceof Phase.Finishing)) {
            onGone.forEach(Runnable::run);
        }
        onGone.clear();
    }

    private void release(EventStream events) {
        events.release();
        meters.streamClosed();
    }
}
