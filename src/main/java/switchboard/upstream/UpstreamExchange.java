package switchboard.upstream;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.impl.HttpContext;
import io.vertx.ext.web.codec.BodyCodec;
import io.vertx.ext.web.codec.spi.BodyStream;
import java.time.Clock;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.async.HttpConnections;

/**
 * One attempt, from asking the pool for a connection to the answer's last byte. As the body codec of its request it bounds
 * what is read, and the web client's interceptor {@link #watch} finds it by that. Whatever ends it early resets the request.
 * {@link #cancel} may come from any thread. Fails with {@link UpstreamFault} only.
 */
final class UpstreamExchange implements BodyCodec<Void> {
    private static final long NO_TIMER = -1;

    private final Limits limits;
    private final HttpRequest<Void> request;
    private final @Nullable Buffer body;
    private final ResponseConsumer taker;
    private final Promise<UpstreamResponse> promise = Promise.promise();
    private final Buffer received = Buffer.buffer();
    private volatile @Nullable SentRequest sent;
    private @Nullable Consumer<Buffer> taking;
    private volatile long silenceTimer = NO_TIMER;
    private long heardAt;

    /**
     * The limits of one attempt.
     *
     * @param backend the backend's id
     * @param clock the time that a {@code Retry-After} with a date counts from
     * @param waits how long it may take
     * @param maxBytes largest body that is collected
     * @param underWay has every attempt from its start to its end, when it has no timers left; thread-safe
     */
    record Limits(
            Vertx vertx, String backend, Clock clock, TimeLimits waits, int maxBytes, Set<UpstreamExchange> underWay) {}

    /**
     * How long it may take, in milliseconds.
     *
     * @param timeoutMs until the answer's last byte
     * @param silentMs without a byte of the answer, from when the request is sent. The web client's own limit ends with the
     *     answer's head.
     */
    record TimeLimits(long timeoutMs, long silentMs) {}

    /**
     * The request once there is a connection for it.
     *
     * @param context where it is sent: a reset before that, in the middle of it, would have the web client send nothing
     */
    private record SentRequest(HttpClientRequest request, Context context) {}

    /** An attempt with {@code request}, whose body codec it becomes. */
    UpstreamExchange(Limits limits, HttpRequest<Buffer> request, @Nullable Buffer body, ResponseConsumer taker) {
        this.limits = limits;
        this.request = request.as(this);
        this.body = body;
        this.taker = taker;
    }

    /** The interceptor of the web client: tells an attempt about the progress of its request. */
    static void watch(HttpContext<?> context) {
        if (context.request().bodyCodec() instanceof UpstreamExchange exchange) {
            switch (context.phase()) {
                case SEND_REQUEST -> exchange.sending(context);
                case RECEIVE_RESPONSE -> exchange.answering(context);
                case PREPARE_REQUEST, CREATE_REQUEST, FOLLOW_REDIRECT, DISPATCH_RESPONSE, FAILURE -> context.next();
            }
        }
    }

    /** Starts; call once. */
    Future<UpstreamResponse> start() {
        if (over()) {
            return promise.future();
        }
        limits.underWay().add(this);
        long timer = limits.vertx().setTimer(limits.waits().timeoutMs(), _ -> late());
        // On the thread that ends it: the caller's context may have other things to do, and the backend stop meanwhile.
        Future<UpstreamResponse> ended = promise.future().andThen(_ -> {
            limits.vertx().cancelTimer(timer);
            limits.vertx().cancelTimer(silenceTimer);
            limits.underWay().remove(this);
        });
        Futures.finish(send(), this::complete, failure -> end(UpstreamFault.of(failure, sent != null)));
        return Futures.here(ended);
    }

    /** A client that is closed throws instead of giving a future. */
    private Future<HttpResponse<Void>> send() {
        try {
            return body == null ? request.send() : request.sendBuffer(body);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /** Cancels it: the request is reset, its connection closed or returned. */
    void cancel() {
        end(UpstreamFault.Cause.CANCELLED);
    }

    private boolean over() {
        return promise.future().isComplete();
    }

    private void late() {
        end(sent == null ? UpstreamFault.Cause.CONNECT_TIMEOUT : UpstreamFault.Cause.TIMEOUT);
    }

    private void end(UpstreamFault.Cause cause) {
        end(new UpstreamFault(cause, sent != null));
    }

    private void end(UpstreamFault fault) {
        if (promise.tryFail(fault) && sent instanceof SentRequest open) {
            open.context().runOnContext(_ -> open.request().reset());
        }
    }

    private void sending(HttpContext<?> context) {
        HttpConnections.quiet(context.clientRequest());
        sent = new SentRequest(context.clientRequest(), limits.vertx().getOrCreateContext());
        if (over()) {
            context.fail(new UpstreamFault(UpstreamFault.Cause.CANCELLED, false)); // which resets it
        } else {
            hear();
            awaitByte(limits.waits().silentMs());
            context.next();
        }
    }

    private void hear() {
        heardAt = System.nanoTime();
    }

    /** One timer at a time, which looks how long it has been silent, so that a byte costs no timer. */
    private void awaitByte(long millis) {
        silenceTimer = limits.vertx().setTimer(millis, _ -> listened());
        if (over()) {
            limits.vertx().cancelTimer(silenceTimer);
        }
    }

    private void listened() {
        long left = limits.waits().silentMs() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardAt);
        if (left > 0) {
            awaitByte(left);
        } else {
            end(UpstreamFault.Cause.TIMEOUT);
        }
    }

    private void answering(HttpContext<?> context) {
        HttpClientResponse response = context.clientResponse();
        hear();
        try {
            taking = over()
                    ? null
                    : taker.begin(new UpstreamHead(
                            response.statusCode(),
                            mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE)),
                            response.headers()));
            context.next();
        } catch (RuntimeException | Error e) {
            HttpConnections.quiet(response); // it is not read, so its reset needs no log line
            context.fail(e);
        }
    }

    @Override
    public BodyStream<Void> stream() {
        return new ConsumerBodyStream(this::take);
    }

    private void take(Buffer piece) {
        Consumer<Buffer> to = taking;
        hear();
        if (over()) {
            return;
        }
        if (to != null) {
            try {
                to.accept(piece);
            } catch (RuntimeException | Error e) {
                end(UpstreamFault.of(e, true));
            }
        } else if ((long) received.length() + piece.length() > limits.maxBytes()) {
            end(UpstreamFault.Cause.TOO_LARGE);
        } else {
            received.appendBuffer(piece);
        }
    }

    private void complete(HttpResponse<Void> response) {
        promise.tryComplete(new UpstreamResponse(
                limits.backend(),
                response.statusCode(),
                mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE.toString())),
                RetryAfter.millis(response.headers(), limits.clock()),
                response.getHeader(HttpHeaders.DATE.toString()),
                received));
    }

    private static @Nullable String mediaType(@Nullable String header) {
        return header == null ? null : header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
