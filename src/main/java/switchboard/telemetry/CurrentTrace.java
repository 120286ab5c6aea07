package switchboard.telemetry;

import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * The trace of what a thread records right now, which histograms show beside the number as an exemplar (OpenMetrics).
 * Only traces that are recorded themselves are worth showing.
 */
final class CurrentTrace implements SpanContext {
    private final ThreadLocal<@Nullable String> traceparent = new ThreadLocal<>();

    /** Records with {@code trace}, a W3C trace context or null. */
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
        // Spans are not told; the metrics point to them.
    }

    private @Nullable String part(int index) {
        String trace = traceparent.get();
        return trace == null ? null : trace.split("-", -1)[index];
    }
}
