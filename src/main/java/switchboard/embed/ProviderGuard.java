package switchboard.embed;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.telemetry.MetricNames;
import switchboard.telemetry.Outage;

/**
 * Stops calling a provider that fails or hangs for a while: calls are refused at once, and the gateway itself checks
 * from time to time whether it is back, so that no caller has to wait. A refused request shows that the provider
 * works. Thread-safe.
 */
final class ProviderGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderGuard.class);
    private static final int WINDOW = 10;
    private static final int FEWEST = 3;
    private static final float MOST_FAILURES_PERCENT = 50;
    private static final Duration REST = Duration.ofSeconds(2);
    /** Normally an answer ends the pause; this is the limit in case that no timer does. */
    private static final Duration LONGEST_REST = Duration.ofHours(1);

    private final Vertx vertx;
    private final EmbeddingHttp http;
    private final JsonNode question;
    private final CircuitBreaker breaker;
    private final EmbeddingFailures failures;
    private final Outage outage;
    private volatile boolean closed;
    private volatile boolean keyRefused;

    /**
     * A guard for {@code http}.
     *
     * @param question the request of checks
     */
    ProviderGuard(Vertx vertx, EmbeddingHttp http, String model, JsonNode question, MeterRegistry meters, Clock clock) {
        this.vertx = vertx;
        this.http = http;
        this.question = question;
        this.failures = new EmbeddingFailures(meters, http.provider(), model);
        this.outage = new Outage(LOG, "the embedding provider of " + model, clock);
        this.breaker = CircuitBreaker.of(
                model,
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(MOST_FAILURES_PERCENT)
                        .slidingWindowSize(WINDOW)
                        .minimumNumberOfCalls(FEWEST)
                        .waitDurationInOpenState(LONGEST_REST)
                        .clock(clock)
                        .build());
        // Not only a failure opens it: a success may be the call that makes the last ones enough to judge by.
        breaker.getEventPublisher().onStateTransition(event -> {
            if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                rests();
            }
        });
        Gauge.builder(MetricNames.EMBEDDING_UP, this, guard -> guard.resting() ? 0 : 1)
                .description("Whether the provider is called; 0 while it is not called after failures")
                .tag("model", model)
                .strongReference(true)
                .register(meters);
    }

    /** Whether calls are refused until the provider answers again. */
    boolean resting() {
        return breaker.getState() != CircuitBreaker.State.CLOSED;
    }

    /** Whether the provider refused the key of the last request that it answered. */
    boolean keyRefused() {
        return keyRefused;
    }

    /**
     * The provider's answer to {@code body}; failures are {@link ToolException}.
     *
     * @param tooMuch advice if it refuses the body
     */
    Future<JsonNode> post(JsonNode body, String tooMuch) {
        if (resting() || !breaker.tryAcquirePermission()) {
            failures.refused();
            return Future.failedFuture(new ToolException(ToolReply.failed(
                            FailureKind.UNAVAILABLE,
                            "The embedding provider does not answer, so it is not called for a while. Search by keyword, or try"
                                    + " again later.")
                    .withRetryAfterMs(REST.toMillis())));
        }
        long start = System.nanoTime();
        return http.post(body, tooMuch)
                .map(also((JsonNode _) -> {
                    keyRefused = false;
                    breaker.onSuccess(System.nanoTime() - start, TimeUnit.NANOSECONDS);
                }))
                .onFailure(failure -> settle(failure, System.nanoTime() - start));
    }

    /**
     * The provider's answer to a check, with one attempt, even while calls are refused; failures as for {@link #post}.
     */
    Future<JsonNode> ask() {
        return http.ask(question);
    }

    private void settle(Throwable failure, long nanos) {
        FailureKind kind =
                failure instanceof ToolException known ? known.failed().kind() : FailureKind.UNAVAILABLE;
        failures.failed(kind);
        if (kind != FailureKind.UNAVAILABLE && kind != FailureKind.TIMEOUT) {
            keyRefused = kind == FailureKind.DENIED_UPSTREAM;
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
            return;
        }
        breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
        // One that hangs has cost a caller all of its time: the next ones are spared that.
        if (!resting() && nanos >= http.limit().toNanos()) {
            breaker.transitionToOpenState();
        }
    }

    private void rests() {
        outage.begins("it did not answer in time, or most calls of it failed");
        askLater();
    }

    private void askLater() {
        vertx.setTimer(REST.toMillis(), _ -> {
            if (!closed) {
                ask().onComplete(_ -> back(), failure -> {
                    boolean there = failure instanceof ToolException known
                            && known.failed().kind() != FailureKind.UNAVAILABLE
                            && known.failed().kind() != FailureKind.TIMEOUT;
                    if (there) {
                        back();
                    } else {
                        askLater();
                    }
                });
            }
        });
    }

    private void back() {
        outage.ends();
        breaker.transitionToClosedState();
    }

    Future<Void> close() {
        closed = true;
        return http.close();
    }
}
