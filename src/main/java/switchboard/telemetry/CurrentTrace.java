package switchboard.telemetry;

import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the request that the current thread is recording. Histograms show it as an exemplar (OpenMetrics), if
 * it is sampled.
 */
final class CurrentTrace implements SpanContext {
    private final ThreadLocal<@Nullable String> traceparent = new ThreadLocal<>();

    /** Runs {@code recording} with {@code trace}, a W3C trace context or null. */
    void with(@Nullable String trace, Runnable recording) {
        if (trace == null) {
            recording.run();
            return;
        }
        traceparent.set(trace);
        try {
            recording.run();
        } finally {
            traceparent.remove();
        }
    }

    @Override
    public @Nullable String getCurrentTraceId() {
        return part(1);
    }

    @Override
    public @Nullable String getCurrentSpanId() {
        return part(2);
    }

    @Override
    public boolean isCurrentSpanSampled() {
        String flags = part(3);
        return flags != null && (Integer.parseInt(flags, 16) & 1) == 1;
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // Spans are not changed; only the metrics refer to them.
    }

    private @Nullable String part(int index) {
        String trace = traceparent.get();
        return trace == null ? null : trace.split("-", -1)[index];
    }
}
