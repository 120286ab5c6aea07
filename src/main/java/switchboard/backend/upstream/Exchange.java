package switchboard.backend.upstream;

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

/**
 * One attempt, from asking the pool for a connection to the answer's last byte. Runs on one Vert.x context; {@link
 * #cancel} may come from any thread. Fails with {@link UpstreamFault} only.
 */
final class Exchange {
    private final Transport transport;
    private final RequestOptions options;
    private final @Nullable Buffer body;
    private final long timeoutMs;
    private final BodyTaker taker;
    private final Context context;
    private final Promise<UpstreamResponse> promise = Promise.promise();
    private final Buffer received = Buffer.buffer();
    private long timer = -1;
    private boolean ended;
    private @Nullable HttpClientRequest request;

    Exchange(Transport transport, RequestOptions options, @Nullable Buffer body, long timeoutMs, BodyTaker taker) {
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
            HttpClientRequest late = connected.result();
            late.exceptionHandler(_ -> {}); // without one, the reset is logged as an error
            late.reset();
        } else {
            HttpClientRequest open = connected.result();
            request = open;
            open.exceptionHandler(thrown -> end(UpstreamFault.of(thrown, true)));
            open.response().onComplete(this::answering);
            (body == null ? open.end() : open.end(body)).onFailure(thrown -> end(UpstreamFault.of(thrown, true)));
        }
    }

    private void answering(AsyncResult<HttpClientResponse> answering) {
        if (answering.failed()) {
            end(UpstreamFault.of(answering.cause(), true));
            return;
        }
        HttpClientResponse response = answering.result();
        response.exceptionHandler(thrown -> end(UpstreamFault.of(thrown, true)));
        UpstreamHead head = new UpstreamHead(
                response.statusCode(), mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE)), response.headers());
        Consumer<Buffer> taking = ended ? null : taker.begin(head);
        response.handler(chunk -> {
            if (taking != null) {
                if (!ended) {
                    taking.accept(chunk);
                }
            } else if ((long) received.length() + chunk.length() > transport.maxBytes()) {
                end(UpstreamFault.Cause.TOO_LARGE);
            } else if (!ended) {
                received.appendBuffer(chunk);
            }
        });
        response.endHandler(_ -> complete(response));
    }

    private void complete(HttpClientResponse response) {
        if (ended) {
            return;
        }
        ended = true;
        transport.vertx().cancelTimer(timer);
        promise.complete(new UpstreamResponse(
                transport.backend(),
                response.statusCode(),
                mediaType(response.getHeader(HttpHeaders.CONTENT_TYPE)),
                RetryAfter.millis(response, transport.clock()),
                response.getHeader(HttpHeaders.DATE),
                received));
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
}
