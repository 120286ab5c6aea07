package switchboard.upstream;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.HttpExchange;

/**
 * One attempt, from asking the pool for a connection to the answer's last byte. Runs on one Vert.x context; {@link
 * #cancel} may come from any thread. Fails with {@link UpstreamFault} only.
 */
final class UpstreamExchange {
    private final Transport transport;
    private final RequestOptions options;
    private final @Nullable Buffer body;
    private final long timeoutMs;
    private final ResponseConsumer taker;
    private final Context context;
    private final Promise<UpstreamResponse> promise = Promise.promise();
    private long timer = -1;
    private boolean ended;
    private @Nullable HttpClientRequest request;

    UpstreamExchange(
            Transport transport,
            RequestOptions options,
            @Nullable Buffer body,
            long timeoutMs,
            ResponseConsumer taker) {
        this.transport = transport;
        this.options = options;
        this.body = body;
        this.timeoutMs = timeoutMs;
        this.taker = taker;
        this.context = transport.vertx().getOrCreateContext();
    }

    /** Starts; to be called once. */
    Future<UpstreamResponse> start() {
        onContext(() -> {
            if (!ended) {
                timer = transport.vertx().setTimer(timeoutMs, _ -> late());
                transport.client().request(options).onComplete(this::connected);
            }
        });
        return promise.future();
    }

    /** Ends it: the request is reset, its connection closed or given back. */
    void cancel() {
        onContext(() -> end(UpstreamFault.Cause.CANCELLED));
    }

    private void onContext(Runnable action) {
        if (context.equals(Vertx.currentContext())) {
            action.run();
        } else {
            context.runOnContext(_ -> action.run());
        }
    }

    private void connected(AsyncResult<HttpClientRequest> connected) {
        if (connected.failed()) {
            end(UpstreamFault.of(connected.cause(), false));
        } else if (ended) {
            HttpExchange.drop(connected.result());
        } else {
            HttpClientRequest open = connected.result();
            request = open;
            HttpExchange.send(open, body, this::begin)
                    .onComplete((response, failure) -> onContext(() -> {
                        if (failure == null) {
                            complete(response);
                        } else {
                            end(failure instanceof UpstreamFault known ? known : UpstreamFault.of(failure, true));
                        }
                    }));
        }
    }

    private HttpExchange.Body<UpstreamResponse> begin(HttpClientResponse response) {
        UpstreamHead head = new UpstreamHead(
                response.statusCode(), mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE)), response.headers());
        Consumer<Buffer> taking = ended ? null : taker.begin(head);
        return taking == null
                ? HttpExchange.Body.collect(
                        transport.maxBytes(),
                        () -> new UpstreamFault(UpstreamFault.Cause.TOO_LARGE, true),
                        received -> response(response, received))
                : new Taken(response, taking);
    }

    private void complete(UpstreamResponse response) {
        if (!ended) {
            ended = true;
            transport.vertx().cancelTimer(timer);
            promise.complete(response);
        }
    }

    private UpstreamResponse response(HttpClientResponse response, Buffer received) {
        return new UpstreamResponse(
                transport.backend(),
                response.statusCode(),
                mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE)),
                RetryAfter.millis(response, transport.clock()),
                response.getHeader(HttpHeaders.DATE),
                received);
    }

    private void late() {
        end(request == null ? UpstreamFault.Cause.CONNECT_TIMEOUT : UpstreamFault.Cause.TIMEOUT);
    }

    private void end(UpstreamFault.Cause cause) {
        end(new UpstreamFault(cause, request != null));
    }

    private void end(UpstreamFault fault) {
        if (ended) {
            return;
        }
        ended = true;
        transport.vertx().cancelTimer(timer);
        if (request != null) {
            request.reset();
        }
        promise.fail(fault);
    }

    private static @Nullable String mediaType(@Nullable String header) {
        if (header == null) {
            return null;
        }
        int parameters = header.indexOf(';');
        return (parameters < 0 ? header : header.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    private final class Taken implements HttpExchange.Body<UpstreamResponse> {
        private final HttpClientResponse response;
        private final Consumer<Buffer> taking;

        Taken(HttpClientResponse response, Consumer<Buffer> taking) {
            this.response = response;
            this.taking = taking;
        }

        @Override
        public void take(Buffer piece) {
            if (!ended) {
                taking.accept(piece);
            }
        }

        @Override
        public UpstreamResponse end() {
            return response(response, Buffer.buffer());
        }
    }
}
