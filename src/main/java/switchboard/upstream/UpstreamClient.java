package switchboard.upstream;

import io.github.resilience4j.core.IntervalFunction;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Health;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;

/**
 * The HTTP client of a backend for its engine. Thread-safe; never blocks.
 *
 * <p>Every request ends: by the call's deadline, the attempt's own timeout, or cancellation. All failures are a {@link
 * ToolException}; any complete answer, of any status, is a success of {@link #send}.
 */
public final class UpstreamClient {
    /** The code of the failure for an answer that is larger than the limit. */
    public static final String TOO_LARGE = "answer_too_large";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(2);

    /** The connections beside the pool: streams that stay open, answers to questions, ends of sessions. Whoever uses them bounds their number. */
    private static final int MOST_BESIDE = 100_000;

    private final GuardedCall.Policy policy;
    private final Scrubber scrubber;
    private final Supplier<HttpTransport> openBeside;
    /** Checks under way: nobody waits for their answers when the client is closed. */
    private final Set<UpstreamExchange> ofNoCall = ConcurrentHashMap.newKeySet();

    private @Nullable HttpTransport besidePool;
    private boolean closed;

    private UpstreamClient(GuardedCall.Policy policy, Scrubber scrubber, Supplier<HttpTransport> openBeside) {
        this.policy = policy;
        this.scrubber = scrubber;
        this.openBeside = openBeside;
    }

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
            UpstreamServices services) {
        Map<String, Secret> fixed = new HashMap<>();
        headers.forEach((name, value) -> fixed.put(name, Secret.of(value)));
        return withSecrets(backend, base, settings, fixed, services);
    }

    /**
     * The same with headers that may change: each request uses their current values.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static UpstreamClient withSecrets(
            String backend,
            URI base,
            UpstreamSettings settings,
            Map<String, Secret> headers,
            UpstreamServices services) {
        return of(UpstreamKind.ENGINE, backend, base, settings, headers, services);
    }

    /**
     * The same for a server of another kind.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static UpstreamClient of(
            UpstreamKind kind,
            String backend,
            URI base,
            UpstreamSettings settings,
            Map<String, Secret> headers,
            UpstreamServices services) {
        HttpTransport transport = new HttpTransport(
                backend,
                base,
                settings,
                headers,
                services.vertx(),
                services.clock(),
                settings.pool().size());
        UpstreamGuard guard = new UpstreamGuard(backend, kind, settings, services.clock(), services.meters());
        GuardedCall.Policy policy = new GuardedCall.Policy(
                kind,
                transport,
                guard,
                settings.timeouts().request(),
                settings.retries(),
                IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2.0, 0.5, LAST_PAUSE),
                services.tracing());
        return new UpstreamClient(
                policy,
                new Scrubber(Map.copyOf(headers).values()),
                () -> new HttpTransport(
                        backend, base, settings, headers, services.vertx(), services.clock(), MOST_BESIDE));
    }

    /**
     * Sends {@code request} within the deadline of the work that it is for. A repeatable one that failed for a temporary
     * reason (connection refused or lost, 429, the 5xx of {@link UpstreamKind}) is retried within deadline, number of
     * retries and retry budget.
     *
     * @return the engine's answer, of any status; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> send(UpstreamRequest request, Lifetime lifetime) {
        return new GuardedCall(policy, request, lifetime).start();
    }

    /**
     * Sends {@code request} once, with circuit breaker and bulkhead, and passes its answer on while it arrives.
     *
     * @param timeout time limit until the answer's last byte
     */
    public StreamingResponse stream(
            UpstreamRequest request, @Nullable String traceparent, Duration timeout, ResponseConsumer taker) {
        ToolReply.Failed refusal = policy.guard().refusal();
        if (refusal != null) {
            return new StreamingResponse(Future.failedFuture(new ToolException(refusal)), () -> {}, () -> {});
        }
        UpstreamExchange exchange = policy.transport().prepare(request, traceparent, timeout, taker);
        Promise<Void> counted = Promise.promise();
        return new StreamingResponse(
                named(policy.guard().run(exchange::start, counted.future()), request),
                exchange::cancel,
                counted::tryComplete);
    }

    /**
     * The same without circuit breaker and bulkhead, for an answer that stays open and belongs to no call. It is not
     * counted as a request under way, and takes none of the pool's connections.
     */
    public StreamingResponse follow(UpstreamRequest request, Duration timeout, ResponseConsumer taker) {
        UpstreamExchange exchange = besidePool().prepare(request, null, timeout, taker);
        return new StreamingResponse(
                named(policy.guard().standing(exchange::start), request), exchange::cancel, () -> {});
    }

    /**
     * Sends {@code request} once, without circuit breaker and bulkhead, on a connection beside the pool: for what requests under
     * way, which may have all of the pool's connections, wait for.
     *
     * @return the engine's answer, of any status; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> beside(UpstreamRequest request, Duration timeout) {
        return named(besidePool().send(request, timeout), request);
    }

    private synchronized HttpTransport besidePool() {
        HttpTransport known = besidePool;
        if (known == null) {
            known = closed ? policy.transport() : openBeside.get();
            besidePool = known;
        }
        return known;
    }

    private Future<UpstreamResponse> named(Future<UpstreamResponse> end, UpstreamRequest request) {
        return end.recover(thrown -> {
            UpstreamFault fault = UpstreamFault.of(thrown, true);
            return Future.failedFuture(
                    new ToolException(fault.toFailed(policy.transport().backend(), request.repeatable()), fault));
        });
    }

    /**
     * Sends {@code request} once, without circuit breaker and bulkhead, for no call. {@link #close} does not wait for it.
     *
     * @return the engine's answer, of any status; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> once(UpstreamRequest request, Duration timeout) {
        UpstreamExchange exchange = policy.transport().prepare(request, null, timeout);
        ofNoCall.add(exchange);
        return named(exchange.start().andThen(_ -> ofNoCall.remove(exchange)), request);
    }

    /**
     * Checks the engine: one attempt, without circuit breaker and bulkhead. A 2xx lets an open breaker try again at
     * once.
     *
     * @return never fails
     */
    public Future<Health> probe(UpstreamRequest request, Duration timeout) {
        return once(request, timeout)
                .map(this::judge)
                .recover(thrown -> Future.succeededFuture(Health.down(String.valueOf(thrown.getMessage()))));
    }

    private Health judge(UpstreamResponse response) {
        if (!response.success()) {
            return Health.down(response.unexplained().message());
        }
        policy.guard().recovered();
        return Health.up();
    }

    /**
     * Whether a request failed because the answer was larger than {@code maxResponseSize}, so that requesting less may
     * help.
     */
    public static boolean answeredTooMuch(Throwable thrown) {
        return thrown instanceof ToolException failure
                && TOO_LARGE.equals(failure.failed().code());
    }

    /** Whether a request failed before any of it was sent, so that nobody has to be told that it is over. */
    public static boolean neverSent(Throwable thrown) {
        return thrown.getCause() instanceof UpstreamFault fault && !fault.sent();
    }

    /** {@code why}, as the failure of a request of which nothing was sent because of it: {@link #neverSent} knows that. */
    public static ToolException notSent(ToolException why) {
        return new ToolException(why.failed(), new UpstreamFault(UpstreamFault.Cause.CANCELLED, false));
    }

    /** Whether requests are refused because of failures, or only a few are tried after a pause. */
    public boolean paused() {
        return policy.guard().paused();
    }

    /** Refuses requests as after failures: for an owner that knows more of the server than single requests show. */
    public void pause() {
        policy.guard().pause();
    }

    /** Runs {@code action}, which must not block, at the beginning of each pause after failures. */
    public void onPause(Runnable action) {
        policy.guard().onPause(action);
    }

    /** Closes the circuit breaker, for an owner that pauses after a failure and then tries by itself. */
    public void forgetFailures() {
        policy.guard().reset();
    }

    /** {@code text} of the engine without this client's credentials and without URLs. */
    public String scrub(String text) {
        return scrubber.scrub(text);
    }

    /** Requests under way or waiting; zero when idle. */
    public int inFlight() {
        return policy.guard().inFlight();
    }

    /** Closes all connections, after a short grace period for requests of calls. */
    public Future<Void> close() {
        HttpTransport open;
        synchronized (this) {
            closed = true;
            open = besidePool;
        }
        ofNoCall.forEach(UpstreamExchange::cancel);
        return open == null
                ? policy.transport().close()
                : Future.join(policy.transport().close(), open.close()).mapEmpty();
    }
}
