package switchboard.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import switchboard.telemetry.MetricNames;

/** Measures how late an event loop runs its tasks, with a timer. It shows code that blocks the loop. */
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
                .description("Delay of tasks on event loops")
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    /** Measures the event loop of the calling context until its deployment ends. */
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
