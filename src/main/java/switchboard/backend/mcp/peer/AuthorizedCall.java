package switchboard.backend.mcp.peer;

import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Supplier;
import switchboard.call.ToolException;
import switchboard.upstream.Authorization;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamResponse;

/**
 * A request with what authorizes it. If the server refuses that (401), the request is sent once more with another one: a server
 * checks it before it acts.
 */
final class AuthorizedCall {
    static final int UNAUTHORIZED = 401;

    private final Authorization authorization;
    private final Supplier<HttpCall> calls;
    private final Sending how;
    private volatile HttpCall current;
    private volatile boolean over;

    /** How a request is sent with these headers. */
    @FunctionalInterface
    interface Sending {
        Future<Transport.TransportReply> send(HttpCall call, Map<String, String> own);
    }

    /** The server has answered 401 or 403. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient UpstreamResponse response;

        RefusedException(UpstreamResponse response) {
            super("the server refuses what authorizes the request", null, false, false);
            this.response = response;
        }
    }

    AuthorizedCall(Authorization authorization, Supplier<HttpCall> calls, Sending how) {
        this.authorization = authorization;
        this.calls = calls;
        this.how = how;
        this.current = calls.get();
    }

    /** Sends it; call once. Fails with {@link ToolException} only. */
    Future<Transport.TransportReply> send() {
        return headers()
                .compose(own -> how.send(current, own)
                        .recover(failure -> failure instanceof RefusedException refused
                                        && refused.response.status() == UNAUTHORIZED
                                        && !over
                                        && authorization.refused(own)
                                ? again()
                                : Future.failedFuture(failure)))
                .recover(failure -> Future.failedFuture(
                        failure instanceof RefusedException refused
                                ? new ToolException(authorization.refusal(refused.response))
                                : failure));
    }

    private Future<Transport.TransportReply> again() {
        HttpCall second = calls.get();
        current = second;
        if (over) {
            second.giveUp();
        }
        return headers().compose(own -> how.send(second, own));
    }

    private Future<Map<String, String>> headers() {
        return authorization
                .headers()
                .recover(failure -> Future.failedFuture(
                        failure instanceof ToolException none ? UpstreamClient.notSent(none) : failure));
    }

    /** Stops waiting. */
    void giveUp() {
        over = true;
        current.giveUp();
    }
}
