package switchboard.backend.upstream;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import switchboard.backend.BackendServices;
import switchboard.backend.CallContext;

/**
 * The connections of one backend to its engine. Thread-safe; never blocks.
 *
 * <p>Every request has an end: the call's deadline, the attempt's own timeout, or the caller taking the call back.
 * Whatever goes wrong comes out as a {@link switchboard.call.ToolException}; any complete answer, of any status, is a
 * success of {@link #send}.
 */
public final class UpstreamClient {
    private UpstreamClient() {}

    /**
     * Prepares a client; nothing is connected yet.
     *
     * @param backend the backend's id, for messages and metrics
     * @param base the engine's URL, {@code http} or {@code https}, with an optional path
     * @param headers sent with every request ({@code Authorization}); their values never leave the client
     * @throws IllegalArgumentException with a message for the operator
     */
    public static UpstreamClient create(
            String backend,
            URI base,
            UpstreamSettings settings,
            Map<String, String> headers,
            BackendServices services) {
        return new UpstreamClient();
    }

    /** Sends {@code request} within the call's deadline; retried if repeatable. Fails with a ToolException only. */
    public Future<UpstreamResponse> send(UpstreamRequest request, CallContext context) {
        return Future.failedFuture(new IllegalStateException(request.toString() + context));
    }

    /**
     * Asks the engine how it is: one attempt, past breaker and queue. An answer below 500 lets an open breaker try
     * again at once.
     */
    public Future<UpstreamResponse> probe(UpstreamRequest request, Duration timeout) {
        return Future.failedFuture(new IllegalStateException(request.toString() + timeout));
    }

    /** {@code text} of the engine without the credentials this client sends and without URLs. */
    public String scrub(String text) {
        return text;
    }

    /** Requests under way or waiting; zero when idle. */
    public int inFlight() {
        return 0;
    }

    /** Ends all connections. */
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
