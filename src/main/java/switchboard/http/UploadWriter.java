package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;

/** Writes the body of one request to a file, as it comes. The request must be paused. Used on one event loop only. */
final class UploadWriter {
    private static final HttpError BROKEN = new HttpError(400, "The upload was broken off.");

    private final HttpServerRequest request;
    private final AsyncFile file;
    private final Promise<Void> promise = Promise.promise();
    private @Nullable Future<Void> closed;

    private UploadWriter(HttpServerRequest request, AsyncFile file) {
        this.request = request;
        this.file = file;
    }

    /**
     * Writes the body of {@code request} to {@code file}, and closes it.
     *
     * @param deadlineQueue the time limit
     * @return completes when every byte is written; fails with {@link BodyReader.RejectedException} if the body ends early or
     *     is too slow, and with another failure if the disk does not take it
     */
    static Future<Void> write(HttpServerRequest request, AsyncFile file, DeadlineQueue deadlineQueue) {
        return new UploadWriter(request, file).write(deadlineQueue);
    }

    private Future<Void> write(DeadlineQueue deadlineQueue) {
        if (request.response().closed()) {
            broken();
        }
        DeadlineQueue.Deadline deadline =
                deadlineQueue.begin(() -> promise.tryFail(new BodyReader.RejectedException(new HttpError(
                        408, "The file did not arrive within " + deadlineQueue.millis() / 60_000 + " minutes."))));
        request.handler(this::append);
        request.exceptionHandler(_ -> broken());
        // The file is closed when all writes before are over.
        request.endHandler(_ -> Futures.finish(close(), _ -> promise.tryComplete(), promise::tryFail));
        if (request.version() != HttpVersion.HTTP_1_0
                && request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        request.resume();
        return promise.future().onComplete(_ -> deadline.met()).recover(failure -> stopped()
                .transform(_ -> Future.failedFuture(failure)));
    }

    private void append(Buffer chunk) {
        Futures.finish(file.write(chunk), _ -> {}, promise::tryFail);
        if (file.writeQueueFull()) {
            request.pause();
            file.drainHandler(_ -> request.resume());
        }
    }

    private void broken() {
        promise.tryFail(new BodyReader.RejectedException(BROKEN));
    }

    /** Takes no more of the body; the rest is discarded by who refuses the request. */
    private Future<Void> stopped() {
        if (!request.isEnded()) {
            request.handler(_ -> {});
            request.endHandler(_ -> {});
        }
        return close();
    }

    private Future<Void> close() {
        if (closed == null) {
            closed = file.close();
        }
        return closed;
    }
}
