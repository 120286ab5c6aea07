package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.async.SseParser;
import switchboard.call.ClientQuestion;
import switchboard.call.ToolException;
import switchboard.upstream.ResponseConsumer;
import switchboard.upstream.StreamingResponse;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamHead;
import switchboard.upstream.UpstreamResponse;

/**
 * One request over HTTP until its answer. If the server closes a stream that can be resumed (2025-11-25), it is
 * resumed after the time that the server requests.
 */
final class HttpCall {
    private static final long USUAL_PAUSE_MS = 1000;
    private static final long LONGEST_PAUSE_MS = 30_000;

    private final StreamableHttpTransport transport;
    private final Transport.Outgoing request;
    private final Consumer<ObjectNode> related;
    private final Promise<Transport.TransportReply> promise = Promise.promise();
    private final long deadlineNanos;
    private final SseParser events;
    private Map<String, String> credentials = Map.of();
    private @Nullable String session;
    private boolean streamed;
    private volatile boolean over;
    private volatile Runnable cancel = () -> {};
    private volatile Runnable count = () -> {};

    HttpCall(StreamableHttpTransport transport, Transport.Outgoing request, Consumer<ObjectNode> related) {
        this.transport = transport;
        this.request = request;
        this.related = related;
        this.deadlineNanos = System.nanoTime() + request.timeout().toNanos();
        this.events = new SseParser(transport.maxEventBytes(), this::event);
    }

    /** Sends it as POST. */
    Future<Transport.TransportReply> start(Map<String, String> own) {
        credentials = own;
        track(transport.client().stream(
                transport.request(request.message(), request.headers(), own, request.repeatable()),
                request.traceparent(),
                request.timeout(),
                taker()));
        return promise.future();
    }

    /** Sends it as a POST that stays open. */
    Future<Transport.TransportReply> stand(Map<String, String> own) {
        credentials = own;
        track(transport
                .client()
                .follow(
                        transport.request(request.message(), request.headers(), own, request.repeatable()),
                        request.timeout(),
                        taker()));
        return promise.future();
    }

    /** Opens the stream that belongs to no request. */
    Future<Transport.TransportReply> follow(Map<String, String> own, Runnable opened) {
        credentials = own;
        ResponseConsumer taker = taker();
        track(transport
                .client()
                .follow(transport.request(HttpMethod.GET, request.headers(), own), request.timeout(), head -> {
                    Consumer<Buffer> pieces = taker.begin(head);
                    if (streamed) {
                        opened.run();
                    }
                    return pieces;
                }));
        return promise.future();
    }

    /** Stops waiting. */
    void giveUp() {
        over = true;
        cancel.run();
    }

    private void track(StreamingResponse streaming) {
        cancel = streaming.cancel();
        count = streaming.count();
        if (over) {
            cancel.run();
        }
        Futures.settle(streaming.end(), this::ended, promise::tryFail);
    }

    private ResponseConsumer taker() {
        return head -> {
            session = head.headers().get(StreamableHttpTransport.SESSION_HEADER);
            streamed = head.status() == 200 && "text/event-stream".equals(head.contentType());
            return streamed ? this::take : null;
        };
    }

    private void take(Buffer piece) {
        try {
            events.take(piece);
        } catch (SseParser.TooLarge _) {
            fail(transport.tooLarge());
        } catch (ToolException e) {
            fail(e);
        }
    }

    private void event(SseParser.Event event) {
        ObjectNode message = over ? null : transport.message(event.data());
        if (message == null) {
            return;
        }
        JsonNode id = request.message().path("id");
        if (!message.has("method")
                && !id.isMissingNode()
                && message.path("id").asText().equals(id.asText())) {
            over = true;
            promise.tryComplete(new Transport.TransportReply(200, message, session));
        } else {
            if (message.has("id")
                    && ClientQuestion.capability(message.path("method").asText())
                            .isPresent()) {
                count.run(); // From now on, it takes as long as a person takes.
            }
            related.accept(message);
        }
    }

    private void ended(AsyncResult<UpstreamResponse> end) {
        if (promise.future().isComplete()) {
            return;
        }
        if (!streamed) {
            if (end.failed()) {
                promise.tryFail(end.cause());
            } else {
                complete(end.result());
            }
        } else if (!request.message().has("id")) {
            promise.tryComplete(new Transport.TransportReply(200, null, session));
        } else if (over || !resumable()) {
            // The server had the request, even if it could not be asked for the rest of the answer.
            promise.tryFail(
                    end.failed() && !UpstreamClient.neverSent(end.cause()) ? end.cause() : transport.cutShort());
        } else {
            long asked = events.retryMs() < 0 ? USUAL_PAUSE_MS : events.retryMs();
            transport.vertx().setTimer(Math.clamp(asked, 1, LONGEST_PAUSE_MS), _ -> resume());
        }
    }

    private void complete(UpstreamResponse response) {
        try {
            promise.tryComplete(transport.answer(response, session));
        } catch (ToolException | AuthorizedCall.RefusedException e) {
            promise.tryFail(e);
        }
    }

    private boolean resumable() {
        return events.lastId() != null
                && !remaining().isNegative()
                && !remaining().isZero();
    }

    private Duration remaining() {
        return Duration.ofNanos(deadlineNanos - System.nanoTime());
    }

    private void resume() {
        String lastId = events.lastId();
        if (over || lastId == null || !resumable()) {
            promise.tryFail(transport.cutShort());
            return;
        }
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Last-Event-ID", lastId);
        track(transport
                .client()
                .follow(transport.request(HttpMethod.GET, headers, credentials), remaining(), head -> resumed(head)));
    }

    private @Nullable Consumer<Buffer> resumed(UpstreamHead head) {
        streamed = head.status() == 200 && "text/event-stream".equals(head.contentType());
        if (!streamed) {
            fail(transport.cutShort());
            return null;
        }
        events.resumed();
        return this::take;
    }

    private void fail(ToolException why) {
        over = true;
        promise.tryFail(why);
        cancel.run();
    }
}
