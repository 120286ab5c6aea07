package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.function.IntPredicate;

/** Reads one request body with limits on size and time. The request must be paused, and flows afterwards. */
final class BodyReader {
    /** Why a body was rejected. It has no stack trace, because this is expected. */
    static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient HttpError httpError;

        RejectedException(HttpError httpError) {
            super(httpError.message(), null, false, false);
            this.httpError = httpError;
        }

        HttpError refusal() {
            return httpError;
        }
    }

    /** The caller disconnected, or the body does not match the request's headers. */
    private static final HttpError BROKEN =
            new HttpError(400, "The request body is truncated, or not in valid chunks.");

    private final HttpServerRequest request;
    private final int limit;
    private final IntPredicate room;
    private final Promise<byte[]> promise = Promise.promise();
    private final Buffer body = Buffer.buffer();

    private BodyReader(HttpServerRequest request, int limit, IntPredicate room) {
        this.request = request;
        this.limit = limit;
        this.room = room;
    }

    /** Reads the body of {@code request}, whose bytes are reserved already. */
    static Future<byte[]> read(HttpServerRequest request, int maxBytes, DeadlineQueue deadlineQueue) {
        return read(request, maxBytes, deadlineQueue, _ -> true);
    }

    /**
     * Reads the body of {@code request}.
     *
     * @param deadlineQueue the time limit
     * @param room reserves that many more bytes, or returns false if there is no room
     * @return the bytes; fails with {@link RejectedException} if the body is too large, too slow or malformed, or the
     *     caller has disconnected
     */
    static Future<byte[]> read(
            HttpServerRequest request, int maxBytes, DeadlineQueue deadlineQueue, IntPredicate room) {
        return new BodyReader(request, maxBytes, room).read(deadlineQueue);
    }

    private Future<byte[]> read(DeadlineQueue deadlineQueue) {
        if (announcedLength() > limit) {
            refuse(HttpError.bodyTooLarge(limit));
            return promise.future();
        }
        DeadlineQueue.Deadline deadline = deadlineQueue.begin(() -> refuse(
                new HttpError(408, "The request body did not arrive within " + deadlineQueue.millis() + " ms.")));
        request.handler(this::append);
        request.exceptionHandler(broken -> broken());
        request.endHandler(end -> promise.tryComplete(body.getBytes()));
        if (request.version() != HttpVersion.HTTP_1_0
                && request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        request.resume();
        return promise.future().onComplete(done -> deadline.met());
    }

    private long announcedLength() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        // The HTTP decoder has refused anything that is not a number.
        return length == null ? 0 : Long.parseLong(length);
    }

    private void append(Buffer chunk) {
        if (body.length() + chunk.length() > limit) {
            refuse(HttpError.bodyTooLarge(limit));
        } else if (!room.test(chunk.length())) {
            refuse(HttpError.noRoomForBody());
        } else {
            body.appendBuffer(chunk);
        }
    }

    /** Refuses the request while its answer can still be written: Vert.x closes the connection next. */
    private void broken() {
        promise.tryFail(new RejectedException(BROKEN));
        if (request.connection() instanceof HttpServerConnection server) {
            server.channelHandlerContext().flush();
        }
    }

    private void refuse(HttpError httpError) {
        request.handler(discarded -> {});
        promise.tryFail(new RejectedException(httpError));
    }
}
