package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.IntPredicate;

/** Reads one request body within a bound of bytes and of time. The request is paused before and flowing afterwards. */
final class BodyReader {
    /** Why a body was not read; a value, not an incident, hence without a stack trace. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Refusal refusal;

        Refused(Refusal refusal) {
            super(refusal.message(), null, false, false);
            this.refusal = refusal;
        }

        Refusal refusal() {
            return refusal;
        }
    }

    /** The caller hung up, or what it sent is not what the head of its request announced. */
    private static final Refusal BROKEN = new Refusal(400, "The request body is cut off, or not in proper chunks.");

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

    /** Reads the body of {@code request}, for which there is room. */
    static Future<byte[]> read(HttpServerRequest request, int maxBytes, Deadlines deadlines) {
        return read(request, maxBytes, deadlines, _ -> true);
    }

    /**
     * Reads the body of {@code request}.
     *
     * @param deadlines how long it may take
     * @param room takes so many more bytes, or says that there is no room for them
     * @return the bytes; fails with {@link Refused} when they are too many, too slow, malformed, or the caller is gone
     */
    static Future<byte[]> read(HttpServerRequest request, int maxBytes, Deadlines deadlines, IntPredicate room) {
        return new BodyReader(request, maxBytes, room).read(deadlines);
    }

    private Future<byte[]> read(Deadlines deadlines) {
        if (announcedLength() > limit) {
            refuse(Refusal.bodyTooLarge(limit));
            return promise.future();
        }
        Deadlines.Deadline deadline = deadlines.begin(() ->
                refuse(new Refusal(408, "The request body did not arrive within " + deadlines.millis() + " ms.")));
        request.handler(this::append);
        request.exceptionHandler(broken -> promise.tryFail(new Refused(BROKEN)));
        request.endHandler(end -> promise.tryComplete(body.getBytes()));
        if (request.version() == HttpVersion.HTTP_1_1
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
            refuse(Refusal.bodyTooLarge(limit));
        } else if (!room.test(chunk.length())) {
            refuse(Refusal.noRoomForBody());
        } else {
            body.appendBuffer(chunk);
        }
    }

    private void refuse(Refusal refusal) {
        request.handler(discarded -> {});
        promise.tryFail(new Refused(refusal));
    }
}
