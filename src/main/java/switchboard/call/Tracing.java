package switchboard.call;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes spans for a tracing system. Thread-safe; never blocks, never fails. */
@FunctionalInterface
public interface Tracing {
    /** Makes no spans, and passes on the trace of a request. */
    Tracing OFF = (kind, parent) -> new NoopSpan(parent);

    /** The kind of a span. */
    enum SpanSide {
        /** Answering a client's request. */
        SERVER,
        /** A part of that. */
        INTERNAL,
        /** A request to another server. */
        CLIENT
    }

    /**
     * The attributes and the outcome of a finished span.
     *
     * @param name the kind of work, one of few
     * @param attributes by their names in the OpenTelemetry conventions; values are strings and longs
     * @param error why it failed, from a fixed set of words; null on success
     */
    record FinishedSpan(
            String name,
            Map<String, Object> attributes,
            @Nullable String error) {}

    /** A span that has not ended. */
    interface Span {
        /** The W3C trace context for work inside this span, or null. */
        @Nullable
        String traceparent();

        /** Ends the span; call once. {@code facts} is evaluated only if the span is recorded. */
        void end(Supplier<FinishedSpan> facts);
    }

    /** The id of the trace in {@code traceparent}, a valid W3C trace context, or null. */
    static @Nullable String traceId(@Nullable String traceparent) {
        return traceparent == null ? null : traceparent.split("-", 3)[1];
    }

    /**
     * Begins a span.
     *
     * @param parent the W3C trace context that it belongs to, or null
     */
    Span begin(SpanSide kind, @Nullable String parent);

    /** A span that is not recorded. */
    record NoopSpan(@Nullable String traceparent) implements Span {
        @Override
        public void end(Supplier<FinishedSpan> facts) {}
    }
}
