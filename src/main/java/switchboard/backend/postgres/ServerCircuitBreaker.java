package switchboard.backend.postgres;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.telemetry.MetricNames;
import switchboard.telemetry.OutageLog;

/**
 * A circuit breaker for a server that can't be reached, so that calls don't wait for connections in vain. Only
 * failures to connect and lost connections count: every answer, even an error, shows that the server is there.
 */
final class ServerCircuitBreaker {
    private static final Duration REST = Duration.ofSeconds(2);
    private static final int WINDOW = 20;
    private static final float MOST_FAILURES_PERCENT = 50;

    private static final Logger LOG = LoggerFactory.getLogger(ServerCircuitBreaker.class);

    private final CircuitBreaker breaker;
    private final String words;

    /** {@code label} names the server in answers; {@code tags} in metrics. */
    ServerCircuitBreaker(ConnectionProfile.Database place, Clock clock, MeterRegistry meters, Tags tags) {
        this.words = place.words();
        String label = place.label();
        this.breaker = CircuitBreaker.of(
                label,
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(MOST_FAILURES_PERCENT)
                        .slidingWindowSize(WINDOW)
                        .minimumNumberOfCalls(WINDOW / 2)
                        .waitDurationInOpenState(REST)
                        .permittedNumberOfCallsInHalfOpenState(2)
                        .clock(clock)
                        .build());
        OutageLog outage = new OutageLog(LOG, label + ", seen by calls,", clock);
        breaker.getEventPublisher().onStateTransition(event -> {
            switch (event.getStateTransition().getToState()) {
                case OPEN, FORCED_OPEN -> outage.begins("most of the last calls could not reach it");
                case CLOSED -> outage.ends();
                case HALF_OPEN, DISABLED, METRICS_ONLY -> {}
            }
        });
        Gauge.builder(MetricNames.POSTGRES_BREAKER, breaker, ServerCircuitBreaker::level)
                .description("0 closed, 1 half open, 2 open")
                .tags(tags)
                .strongReference(true)
                .register(meters);
    }

    /** Makes {@code attempt} unless the server is given a rest. */
    <T> Future<T> run(Supplier<Future<T>> attempt) {
        if (!breaker.tryAcquirePermission()) {
            return Future.failedFuture(new ToolException(new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            words
                                    + " could not be reached by most of the last calls, so it is not called for a while; wait, then"
                                    + " try again.")
                    .withRetryAfterMs(REST.toMillis())));
        }
        long start = System.nanoTime();
        return attempt.get().andThen(outcome -> settle(outcome, System.nanoTime() - start));
    }

    private void settle(AsyncResult<?> outcome, long nanos) {
        Throwable failure = outcome.cause();
        if (failure != null && DatabaseFailures.unreachable(failure)) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
        } else if (failure instanceof ToolException given
                && undecided(given.failed().kind())) {
            breaker.releasePermission();
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Whether a call ended before it was known whether the server is there. */
    private static boolean undecided(FailureKind kind) {
        return kind == FailureKind.TIMEOUT || kind == FailureKind.CANCELLED || kind == FailureKind.OVERLOADED;
    }

    /** The server answered a check, so calls may try again. */
    void recovered() {
        if (breaker.getState() == CircuitBreaker.State.OPEN) {
            breaker.transitionToHalfOpenState();
        }
    }

    private static double level(@Nullable CircuitBreaker breaker) {
        return breaker == null
                ? 0
                : switch (breaker.getState()) {
                    case CLOSED, DISABLED, METRICS_ONLY -> 0;
                    case HALF_OPEN -> 1;
                    case OPEN, FORCED_OPEN -> 2;
                };
    }
}
