package switchboard.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request and reads its answer. The answer is read on the connection's own context before its first byte
 * arrives, so nothing can be missed, whatever context the chain of futures continues on. An exception of the reader
 * fails the exchange and closes the connection. Requests that don't go through the web client are sent with this.
 */
public final class HttpExchange {
    private static final long CANCEL = 8; // HTTP/2: the stream is no longer needed

    private HttpExchange() {}

    /** Reads the body of an answer. Used on the connection's context, by one thread at a time. */
    public interface Body<T> {
        /** Receives the next piece. */
        void take(Buffer piece) throws Exception;

        /** The result; called once, after the last piece. */
        T end() throws Exception;

        /** Does not read the body: closes the connection and returns {@code result}. */
        static <T> Body<T> skip(T result) {
            return new Skipped<>(result);
        }

        /** Ignores the content of the body, and returns {@code result} at its end. */
        static <T> Body<T> ignore(T result) {
            return new Body<>() {
                @Override
                public void take(Buffer piece) {}

                @Override
                public T end() {
                    return result;
                }
            };
        }

        /** Collects at most {@code most} bytes; fails with {@code tooLarge} if there are more. */
        static <T> Body<T> collect(int most, Supplier<Exception> tooLarge, Function<Buffer, T> end) {
            return new Collected<>(most, tooLarge, end, Buffer.buffer());
        }
    }

    /** Reads the status and headers of an answer. */
    @FunctionalInterface
    public interface Head<T> {
        /** Chooses how the body is read; called on the connection's context. */
        Body<T> begin(HttpClientResponse response) throws Exception;
    }

    private record Skipped<T>(T result) implements Body<T> {
        @Override
        public void take(Buffer piece) {}

        @Override
        public T end() {
            return result;
        }
    }

    private record Collected<T>(int most, Supplier<Exception> tooLarge, Function<Buffer, T> then, Buffer bytes)
            implements Body<T> {
        @Override
        public void take(Buffer piece) throws Exception {
            if ((long) bytes.length() + piece.length() > most) {
                throw tooLarge.get();
            }
            bytes.appendBuffer(piece);
        }

        @Override
        public T end() {
            return then.apply(bytes);
        }
    }

    /**
     * Sends a request.
     *
     * @param request nothing of it has been sent
     * @param body or null
     * @param head chooses how the body of the answer is read; it and the reader may throw
     */
    public static <T> Future<T> send(HttpClientRequest request, @Nullable Buffer body, Head<T> head) {
        HttpConnections.quiet(request);
        Future<T> outcome = request.response().compose(response -> read(request, response, head));
        (body == null ? request.end() : request.end(body)).onFailure(cause -> request.reset(CANCEL, cause));
        return Futures.here(outcome);
    }

    /**
     * The same, but the body is only sent when the server asks for it ({@code 100 Continue}). So a request whose body was
     * not asked for has certainly not been carried out, whatever happened to its connection.
     *
     * @param asked whether the body may be sent now; called once at most, when the server asks for it
     */
    public static <T> Future<T> sendWhenAsked(
            HttpClientRequest request, Buffer body, BooleanSupplier asked, Head<T> head) {
        HttpConnections.quiet(request);
        Future<T> outcome = request.response().compose(response -> read(request, response, head));
        request.putHeader(HttpHeaders.EXPECT, "100-continue")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                .continueHandler(_ -> {
                    if (asked.getAsBoolean()) {
                        request.end(body).onFailure(cause -> request.reset(CANCEL, cause));
                    }
                })
                .sendHead()
                .onFailure(cause -> request.reset(CANCEL, cause));
        return Futures.here(outcome);
    }

    private static <T> Future<T> read(HttpClientRequest request, HttpClientResponse response, Head<T> head) {
        Promise<T> outcome = Promise.promise();
        response.exceptionHandler(outcome::tryFail);
        Body<T> body;
        try {
            body = head.begin(response);
        } catch (Exception | Error e) {
            giveUp(request, outcome, e);
            return outcome.future();
        }
        if (body instanceof Skipped<T>(T result)) {
            outcome.tryComplete(result);
            request.reset();
            return outcome.future();
        }
        response.handler(piece -> {
            if (!outcome.future().isComplete()) {
                take(request, body, piece, outcome);
            }
        });
        response.endHandler(_ -> {
            if (!outcome.future().isComplete()) {
                end(body, outcome);
            }
        });
        return outcome.future();
    }

    private static <T> void take(HttpClientRequest request, Body<T> body, Buffer piece, Promise<T> outcome) {
        try {
            body.take(piece);
        } catch (Exception | Error e) {
            giveUp(request, outcome, e);
        }
    }

    private static <T> void end(Body<T> body, Promise<T> outcome) {
        try {
            outcome.tryComplete(body.end());
        } catch (Exception | Error e) {
            outcome.tryFail(e);
        }
    }

    private static void giveUp(HttpClientRequest request, Promise<?> outcome, Throwable cause) {
        outcome.tryFail(cause);
        request.reset();
    }
}
