package switchboard.call;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a tracing system where the time of a request goes. Thread-safe; never blocks, never fails. */
@FunctionalInterface
public interface Tracing {
    /** Tells nobody, and passes on the trace that a request came with. */
    Tracing OFF = (kind, parent) -> new Untraced(parent);

    /** On which side of a conversation something is done. */
    enum SpanSide {
        /** A request of a client is answered. */
        SERVER,
        /** A part of that. */
        INTERNAL,
        /** Another server is asked. */
        CLIENT
    }

    /**
     * What is known of a piece of work when it is over.
     *
     * @param name of the kind of work: few different ones
     * @param attributes by their names in the OpenTelemetry conventions; the values are strings and longs
     * @param error why it failed, a word from a fixed set; null if it did not
     */
    record Facts(
            String name,
            Map<String, Object> attributes,
            @Nullable String error) {}

    /** A piece of work that goes on. */
    interface Span {
        /** The W3C trace context of what is done as a part of it, or null. */
        @Nullable
        String traceparent();

        /** It is over; to be called once. {@code facts} is asked only where somebody is told. */
        void end(Supplier<Facts> facts);
    }

    /** The id of the trace in {@code traceparent}, a W3C trace context that was checked when it came, or null. */
    static @Nullable String traceId(@Nullable String traceparent) {
        return traceparent == null ? null : traceparent.split("-", 3)[1];
    }

    /**
     * Something begins.
     *
     * @param parent the W3C trace context that it is a part of, or null
     */
    Span begin(SpanSide kind, @Nullable String parent);

    /** What nobody is told of. */
    record Untraced(@Nullable String traceparent) implements Span {
        @Override
        public void end(Supplier<Facts> facts) {}
    }
}
