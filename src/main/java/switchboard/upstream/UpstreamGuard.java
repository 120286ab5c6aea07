package switchboard.upstream;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/**
 * Protects an engine and its callers: a bulkhead limits requests under way, a circuit breaker pauses calls of a
 * failing engine, and a budget limits retries. Only the permits are used, so it has no threads and never waits.
 */
final class UpstreamGuard {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamGuard.class);

    private static final int OK = 200;

    private final String backend;
    private final UpstreamKind kind;
    private final Clock clock;
    private final Duration openFor;
    private final int capacity;
    private final Bulkhead bulkhead;
    private final CircuitBreaker breaker;
    private final RetryBudget budget = new RetryBudget();
    private final UpstreamMetrics metrics;
    private final AtomicInteger standing = new AtomicInteger();
    private volatile long openedAt;

    UpstreamGuard(String backend, UpstreamKind kind, UpstreamSettings settings, Clock clock, MeterRegistry meters) {
        this.backend = backend;
        this.kind = kind;
        this.clock = clock;
        this.openFor = settings.breaker().openFor();
        this.capacity = settings.pool().size() + settings.pool().maxWaiting();
        this.bulkhead = Bulkhead.of(
                backend,
                BulkheadConfig.custom()
                        .maxConcurrentCalls(capacity)
                        .maxWaitDuration(Duration.ZERO)
                        .build());
        this.breaker = settings.breaker()
                .create(backend, clock, LOG, "most of its last calls failed or got no answer in time");
        breaker.getEventPublisher().onStateTransition(_ -> openedAt = clock.millis());
        this.metrics = new UpstreamMetrics(meters, backend);
        metrics.watch(breaker, this::inFlight, standing::get);
    }

    /** Why nothing may be sent now, or null if a permit was taken for {@link #run}. */
    ToolReply.@Nullable Failed refusal() {
        if (!bulkhead.tryAcquirePermission()) {
            return new ToolReply.Failed(
                    FailureKind.OVERLOADED,
                    backend + " has " + capacity + " requests under way or waiting, the most the gateway sends it; wait"
                            + " a moment, then try again");
        }
        if (!breaker.tryAcquirePermission()) {
            bulkhead.onComplete();
            long wait = Math.clamp(openedAt + openFor.toMillis() - clock.millis(), 0, openFor.toMillis());
            return new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            backend
                                    + " failed most of its last calls, so it is not called for a while; wait, then try again")
                    .withRetryAfterMs(wait);
        }
        return null;
    }

    /** Runs an attempt with the permit of {@link #refusal}, and releases the permit in any case. */
    Future<UpstreamResponse> run(Supplier<Future<UpstreamResponse>> attempt) {
        return run(attempt, Promise.<Void>promise().future());
    }

    /**
     * The same for an attempt that may take as long as somebody else takes.
     *
     * @param working completes if the engine has shown before the end that it works; then the attempt counts as answered, and only
     *     its permit is held until the end
     */
    Future<UpstreamResponse> run(Supplier<Future<UpstreamResponse>> attempt, Future<Void> working) {
        long start = System.nanoTime();
        AtomicBoolean counted = new AtomicBoolean();
        Futures.finish(
                working,
                _ -> {
                    if (counted.compareAndSet(false, true)) {
                        count(OK, System.nanoTime() - start);
                    }
                },
                _ -> {});
        Future<UpstreamResponse> running;
        try {
            running = attempt.get();
        } catch (RuntimeException e) {
            running = Future.failedFuture(e);
        }
        // The permit is released before the caller sees the end.
        return running.andThen(outcome -> {
            bulkhead.onComplete();
            if (counted.compareAndSet(false, true)) {
                settle(outcome, System.nanoTime() - start);
            }
        });
    }

    /** Runs a request that stays open, without a permit. It is counted until its end. */
    Future<UpstreamResponse> standing(Supplier<Future<UpstreamResponse>> stream) {
        Future<UpstreamResponse> open = stream.get();
        standing.incrementAndGet();
        return open.andThen(_ -> standing.decrementAndGet());
    }

    private void count(int status, long nanos) {
        metrics.answered(status, Duration.ofNanos(nanos));
        if (kind.failing(status)) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, new UpstreamFault(UpstreamFault.Cause.LOST, true));
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void settle(AsyncResult<UpstreamResponse> outcome, long nanos) {
        if (outcome.succeeded()) {
            count(outcome.result().status(), nanos);
            return;
        }
        UpstreamFault fault = UpstreamFault.of(outcome.cause(), true);
        metrics.failed(fault.label(), Duration.ofNanos(nanos));
        if (fault.enginesFault()) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, fault);
        } else {
            breaker.releasePermission();
        }
    }

    /** Counts a call's first attempt. */
    void firstAttempt() {
        budget.earn();
    }

    /** Whether another attempt may be made; it is counted then. */
    boolean mayRetry() {
        if (!budget.spend()) {
            return false;
        }
        metrics.retry();
        return true;
    }

    /** The engine answered a check: an open breaker lets calls through again. */
    void recovered() {
        UpstreamSettings.Breaker.recovered(breaker);
    }

    /** Whether requests are refused because of failures, or only a few are tried after a pause. */
    boolean paused() {
        return breaker.getState() != CircuitBreaker.State.CLOSED;
    }

    /** Refuses requests for the breaker's time, as after failures. */
    void pause() {
        if (!paused()) {
            breaker.transitionToOpenState();
        }
    }

    /** Runs {@code action} at the beginning of each pause. */
    void onPause(Runnable action) {
        breaker.getEventPublisher().onStateTransition(event -> {
            if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                action.run();
            }
        });
    }

    /** Resets the circuit breaker. */
    void reset() {
        breaker.reset();
    }

    /** The number of permits in use. */
    int inFlight() {
        return capacity - bulkhead.getMetrics().getAvailableConcurrentCalls();
    }
}
