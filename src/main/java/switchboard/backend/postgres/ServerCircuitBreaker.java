package switchboard.backend.postgres;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.telemetry.MetricNames;
import switchboard.upstream.UpstreamSettings;

/**
 * A circuit breaker for a server that can't be reached, so that calls don't wait for connections that can't be made. Only
 * failures to connect and lost connections count: every answer, even an error, shows that the server is there.
 */
final class ServerCircuitBreaker {
    private static final UpstreamSettings.Breaker SETTINGS =
            new UpstreamSettings.Breaker(50, 20, Duration.ofSeconds(2));
    private static final Logger LOG = LoggerFactory.getLogger(ServerCircuitBreaker.class);

    private final CircuitBreaker breaker;
    private final String words;

    /** {@code label} names the server in answers; {@code tags} in metrics. */
    ServerCircuitBreaker(ConnectionProfile.Database database, Clock clock, MeterRegistry meters, Tags tags) {
        this.words = database.words();
        this.breaker = SETTINGS.create(database.label(), clock, LOG, "most of the last calls could not reach it");
        Gauge.builder(MetricNames.POSTGRES_BREAKER, breaker, UpstreamSettings.Breaker::level)
                .description("0 closed, 1 half open, 2 open")
                .tags(tags)
                .strongReference(true)
                .register(meters);
    }

    /** Makes {@code attempt} unless the circuit breaker is open. */
    <T> Future<T> run(Supplier<Future<T>> attempt) {
        if (!breaker.tryAcquirePermission()) {
            return Future.failedFuture(new ToolException(new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            words
                                    + " could not be reached by most of the last calls, so it is not called for a while; wait, then"
                                    + " try again.")
                    .withRetryAfterMs(SETTINGS.openFor().toMillis())));
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
        UpstreamSettings.Breaker.recovered(breaker);
    }
}
