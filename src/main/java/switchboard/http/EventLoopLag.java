package switchboard.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import switchboard.telemetry.MetricNames;

/**
 * How late an event loop is with what is due: a timer on the caller's loop measures its own delay. What blocks a loop
 * shows here before callers notice.
 */
final class EventLoopLag {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10)
    };

    private final Vertx vertx;
    private final Timer lag;
    private long due;

    private EventLoopLag(Vertx vertx, MeterRegistry meters) {
        this.vertx = vertx;
        this.lag = Timer.builder(MetricNames.EVENT_LOOP_LAG)
                .description("How late event loops run what is due")
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    /** Measures the event loop of the calling context until that context's deployment ends. */
    static void measure(Vertx vertx, MeterRegistry meters) {
        new EventLoopLag(vertx, meters).next();
    }

    private void next() {
        due = System.nanoTime() + EVERY.toNanos();
        vertx.setTimer(EVERY.toMillis(), _ -> {
            lag.record(Math.max(0, System.nanoTime() - due), TimeUnit.NANOSECONDS);
            next();
        });
    }
}
