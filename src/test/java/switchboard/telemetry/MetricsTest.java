package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Timer;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.junit.jupiter.api.Test;
import switchboard.call.FailureKind;
import switchboard.testing.Eventually;

/** The registry of a process and its end. */
class MetricsTest {
    private static final String RECORDED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void closedMetricsMeasureNothingMore() throws ListenerNotFoundException {
        Metrics metrics = new Metrics();
        collect();
        Eventually.that(() -> pauses(metrics) > 0, () -> "a pause of the garbage collector");
        assertFalse(metrics.registry().isClosed());
        metrics.close();
        assertTrue(metrics.registry().isClosed());
        long before = pauses(metrics);
        // Listeners are called in the order in which they came: who was there before has been told.
        AtomicInteger told = new AtomicInteger();
        NotificationListener last = (_, _) -> told.incrementAndGet();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(last, null, null);
        }
        collect();
        Eventually.that(() -> told.get() > 0, () -> "a notification");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).removeNotificationListener(last);
        }
        assertEquals(before, pauses(metrics));
    }

    @SuppressWarnings("PMD.DoNotCallGarbageCollectionExplicitly")
    private static void collect() {
        System.gc();
    }

    private static long pauses(Metrics metrics) {
        return metrics.registry().getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("jvm.gc."))
                .filter(Timer.class::isInstance)
                .mapToLong(meter -> ((Timer) meter).count())
                .sum();
    }

    @Test
    void aCallOfABackendIsCountedByBackendAndFailureWithItsTrace() {
        try (Metrics metrics = new Metrics()) {
            BackendMeters calls = metrics.backendCalls();
            calls.called("docs", null, Duration.ofMillis(30), RECORDED);
            calls.called("docs", null, Duration.ofMillis(40), null);
            calls.called("docs", FailureKind.TIMEOUT, Duration.ofMillis(50), null);
            calls.called("other", null, Duration.ofMillis(60), null);
            String text = metrics.registry().scrape("application/openmetrics-text; version=1.0.0; charset=utf-8");
            String name = "switchboard_backend_call_duration_seconds_count";
            assertTrue(text.contains(name + "{backend=\"docs\",error_type=\"\"} 2\n"), text);
            assertTrue(text.contains(name + "{backend=\"docs\",error_type=\"TIMEOUT\"} 1\n"), text);
            assertTrue(text.contains(name + "{backend=\"other\",error_type=\"\"} 1\n"), text);
            assertEquals(
                    1,
                    text.lines()
                            .filter(line -> line.contains("trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\""))
                            .count(),
                    text);
        }
    }
}
