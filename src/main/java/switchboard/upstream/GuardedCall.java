package switchboard.upstream;

import io.github.resilience4j.core.IntervalFunction;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;

/**
 * A request with its retries: attempts one after the other, with growing, randomized pauses, all within the work's
 * deadline. Fails with {@link ToolException} only.
 */
final class GuardedCall {
    /**
     * Settings shared by all calls of a client.
     *
     * @param kind what a status says of the server
     * @param requestTimeout time limit of one attempt
     * @param retries number of retries of a repeatable request
     * @param pause milliseconds before retry 1, 2, ...
     * @param tracing makes a span for each attempt
     */
    record Policy(
            UpstreamKind kind,
            HttpTransport transport,
            UpstreamGuard guard,
            Duration requestTimeout,
            int retries,
            IntervalFunction pause,
            Tracing tracing) {}

    private final Policy policy;
    private final UpstreamRequest request;
    private final Lifetime lifetime;
    private final AtomicReference<@Nullable UpstreamExchange> current = new AtomicReference<>();
    private final Promise<UpstreamResponse> promise = Promise.promise();

    GuardedCall(Policy policy, UpstreamRequest request, Lifetime lifetime) {
        this.policy = policy;
        this.request = request;
        this.lifetime = lifetime;
    }

    /** Starts; call once. */
    Future<UpstreamResponse> start() {
        lifetime.onCancel(this::cancel);
        policy.guard().firstAttempt();
        attempt(1);
        return promise.future();
    }

    private void cancel() {
        UpstreamExchange running = current.get();
        if (running != null) {
            running.cancel();
        }
    }

    private void attempt(int number) {
        Duration remaining = lifetime.remaining();
        if (remaining.isZero()) {
            fail(new UpstreamFault(UpstreamFault.Cause.TIMEOUT, false));
            return;
        }
        if (lifetime.cancelled()) {
            fail(new UpstreamFault(UpstreamFault.Cause.CANCELLED, false));
            return;
        }
        ToolReply.Failed refusal = policy.guard().refusal();
        if (refusal != null) {
            promise.fail(new ToolException(refusal));
            return;
        }
        Duration timeout = remaining.compareTo(policy.requestTimeout()) < 0 ? remaining : policy.requestTimeout();
        Tracing.Span span = policy.tracing().begin(Tracing.SpanSide.CLIENT, lifetime.traceparent());
        long since = System.nanoTime();
        UpstreamExchange exchange = policy.transport().prepare(request, span.traceparent(), timeout);
        current.set(exchange);
        if (lifetime.cancelled()) {
            exchange.cancel();
        }
        Futures.settle(
                policy.guard().run(exchange::start),
                outcome -> {
                    span.end(() -> facts(number, outcome));
                    lifetime.steps()
                            .engine(
                                    policy.transport().backend(),
                                    request.method().name(),
                                    since,
                                    error(outcome));
                    settled(number, outcome);
                },
                promise::tryFail);
    }

    /** The attributes of the OpenTelemetry conventions for HTTP clients. */
    private Tracing.FinishedSpan facts(int number, AsyncResult<UpstreamResponse> outcome) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("http.request.method", request.method().name());
        attributes.put("switchboard.backend", policy.transport().backend());
        if (number > 1) {
            attributes.put("http.request.resend_count", number - 1L);
        }
        if (outcome.succeeded()) {
            attributes.put("http.response.status_code", (long) outcome.result().status());
        }
        return new Tracing.FinishedSpan(request.method().name(), attributes, error(outcome));
    }

    private static @Nullable String error(AsyncResult<UpstreamResponse> outcome) {
        if (outcome.failed()) {
            return UpstreamFault.of(outcome.cause(), true).label();
        }
        int status = outcome.result().status();
        return status < 400 ? null : Integer.toString(status);
    }

    private void settled(int number, AsyncResult<UpstreamResponse> outcome) {
        if (outcome.succeeded()) {
            UpstreamResponse response = outcome.result();
            if (!policy.kind().passing(response.status()) || !again(number, response.retryAfterMs())) {
                promise.complete(response);
            }
            return;
        }
        UpstreamFault fault = UpstreamFault.of(outcome.cause(), true);
        if (!fault.passing() || !again(number, null)) {
            fail(fault);
        }
    }

    /** Schedules another attempt if that is allowed and possible in time. */
    private boolean again(int number, @Nullable Long retryAfterMs) {
        if (!request.repeatable() || number > policy.retries()) {
            return false;
        }
        long pause = Math.max(policy.pause().apply(number), retryAfterMs == null ? 0 : retryAfterMs);
        if (pause > policy.kind().longestPause().toMillis()
                || pause >= lifetime.remaining().toMillis()
                || !policy.guard().mayRetry()) {
            return false;
        }
        policy.transport().vertx().setTimer(Math.max(1, pause), _ -> attempt(number + 1));
        return true;
    }

    private void fail(UpstreamFault fault) {
        promise.fail(new ToolException(fault.toFailed(policy.transport().backend(), request.repeatable())));
    }
}
