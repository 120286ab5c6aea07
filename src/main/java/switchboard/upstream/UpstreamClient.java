package switchboard.upstream;

import io.github.resilience4j.core.IntervalFunction;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;

/**
 * The connections of one backend to its engine. Thread-safe; never blocks.
 *
 * <p>Every request has an end: the call's deadline, the attempt's own timeout, or the caller taking the call back.
 * Whatever goes wrong comes out as a {@link ToolException}; any complete answer, of any status, is a success of {@link
 * #send}.
 */
public final class UpstreamClient {
    /** The code of a failure that says that the engine's answer is larger than the gateway reads. */
    public static final String TOO_LARGE = "answer_too_large";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(2);

    private final GuardedCall.Policy policy;
    private final Scrubber scrubber;

    private UpstreamClient(GuardedCall.Policy policy, Scrubber scrubber) {
        this.policy = policy;
        this.scrubber = scrubber;
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
     * The same with headers that may change: each request has them as they are then.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static UpstreamClient withSecrets(
            String backend,
            URI base,
            UpstreamSettings settings,
            Map<String, Secret> headers,
            UpstreamServices services) {
        Transport transport = new Transport(backend, base, settings, headers, services.vertx(), services.clock());
        UpstreamGuard guard = new UpstreamGuard(backend, settings, services.clock(), services.meters());
        GuardedCall.Policy policy = new GuardedCall.Policy(
                transport,
                guard,
                settings.timeouts().request(),
                settings.retries(),
                IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2.0, 0.5, LAST_PAUSE),
                services.tracing());
        return new UpstreamClient(policy, new Scrubber(Map.copyOf(headers).values()));
    }

    /**
     * Sends {@code request} within the call's deadline. A repeatable one that failed for a passing reason (connection
     * refused or lost, 429, 502 to 504) is sent again while deadline, retries and retry budget last.
     *
     * @return the engine's answer, of any status; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> send(UpstreamRequest request, CallContext context) {
        return new GuardedCall(policy, request, context).start();
    }

    /**
     * Sends {@code request} once, behind breaker and bulkhead, and hands its answer on while it arrives.
     *
     * @param timeout until the answer's last byte
     */
    public Streaming stream(
            UpstreamRequest request, @Nullable String traceparent, Duration timeout, ResponseConsumer taker) {
        ToolReply.Failed refusal = policy.guard().refusal();
        if (refusal != null) {
            return new Streaming(Future.failedFuture(new ToolException(refusal)), () -> {});
        }
        UpstreamExchange exchange = policy.transport().prepare(request, traceparent, timeout, taker);
        return new Streaming(named(policy.guard().run(exchange::start), request), exchange::cancel);
    }

    /**
     * The same past breaker and bulkhead, for an answer that stays open without being anybody's call. It is not among the
     * requests under way, and counted by itself.
     */
    public Streaming follow(UpstreamRequest request, Duration timeout, ResponseConsumer taker) {
        UpstreamExchange exchange = policy.transport().prepare(request, null, timeout, taker);
        return new Streaming(named(policy.guard().standing(exchange::start), request), exchange::cancel);
    }

    private Future<UpstreamResponse> named(Future<UpstreamResponse> end, UpstreamRequest request) {
        return end.recover(thrown -> Future.failedFuture(new ToolException(
                UpstreamFault.of(thrown, true).toFailed(policy.transport().backend(), request.repeatable()))));
    }

    /**
     * Sends {@code request} once, past breaker and bulkhead, without being anybody's call.
     *
     * @return the engine's answer, of any status; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> once(UpstreamRequest request, Duration timeout) {
        return named(policy.transport().send(request, timeout), request);
    }

    /**
     * Asks the engine how it is: one attempt, past breaker and bulkhead. A 2xx lets an open breaker try again at once.
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

    /** Whether a request failed because the engine answered more than {@code maxResponseSize}: less may be asked for. */
    public static boolean answeredTooMuch(Throwable thrown) {
        return thrown instanceof ToolException failure
                && TOO_LARGE.equals(failure.failed().code());
    }

    /** Closes the breaker, for an owner that sends nothing for a while after a failure and then tries by itself. */
    public void forgetFailures() {
        policy.guard().reset();
    }

    /** {@code text} of the engine without the credentials this client sends and without URLs. */
    public String scrub(String text) {
        return scrubber.scrub(text);
    }

    /** Requests under way or waiting; zero when idle. */
    public int inFlight() {
        return policy.guard().inFlight();
    }

    /** Ends all connections, after a short grace for what is under way. */
    public Future<Void> close() {
        return policy.transport().close();
    }
}
