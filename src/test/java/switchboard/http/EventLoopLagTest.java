package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;

/** An event loop is measured again and again, and code that blocks it is seen. */
@ExtendWith(VertxExtension.class)
class EventLoopLagTest {
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);

    @Test
    void aLoopThatIsHeldUpIsSeen(Vertx vertx) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        vertx.runOnContext(_ -> {
            EventLoopLag.measure(vertx, meters);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < HELD_NANOS) {
                Thread.onSpinWait();
            }
        });
        Eventually.that(
                () -> meters.find(MetricNames.EVENT_LOOP_LAG).timer() instanceof Timer lag && lag.count() >= 3,
                () -> "it is measured again");
        Timer lag = meters.get(MetricNames.EVENT_LOOP_LAG).timer();
        double late = lag.max(TimeUnit.SECONDS);
        assertTrue(late > 0.6, () -> "half a second after its due time: " + late);
        assertTrue(lag.totalTime(TimeUnit.SECONDS) < 10, lag::toString);
    }
}
