package switchboard.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;

/**
 * Sends spans to an OpenTelemetry collector with OTLP over HTTP, in batches, on its own thread. A collector that does
 * not answer costs spans but never delays calls: the queue is bounded, and spans that do not fit are dropped.
 */
public final class OtlpTracing implements Tracing, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_WAITING = 8_192;
    private static final long CLOSE_SECONDS = 5;

    /** Work that is submitted after the end is dropped, like spans that can't be sent. */
    private final ExecutorService exports = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("span-export").factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    private volatile boolean givenUp;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /**
     * Sends spans to a collector.
     *
     * @param endpoint such as {@code http://collector:4318/v1/traces}
     * @param headers sent with every export
     * @param ratio the fraction of requests without a trace of their own that is recorded, from 0 to 1; a request with
     *     a trace is recorded if its trace is sampled
     * @param version the version of this program
     */
    public OtlpTracing(URI endpoint, Supplier<Map<String, String>> headers, double ratio, String version) {
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint.toString())
                .setTimeout(TIMEOUT)
                .setConnectTimeout(TIMEOUT)
                .setExecutorService(exports);
        exporter.setHeaders(headers);
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(
                                AttributeKey.stringKey("service.name"),
                                "switchboard",
                                AttributeKey.stringKey("service.version"),
                                version))))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
                .addSpanProcessor(BatchSpanProcessor.builder(new RetryingExporter(exporter.build()))
                        .setMaxQueueSize(MAX_WAITING)
                        .build())
                .build();
        this.tracer = provider.get("switchboard", version);
    }

    @Override
    public Span begin(SpanSide kind, @Nullable String parent) {
        SpanBuilder span = tracer.spanBuilder("request").setSpanKind(kind(kind));
        if (parent == null) {
            span.setNoParent();
        } else {
            span.setParent(Context.root().with(io.opentelemetry.api.trace.Span.wrap(remote(parent))));
        }
        return new Recorded(span.startSpan());
    }

    /** Sends the waiting spans, for a few seconds at most. An export that takes longer is cancelled. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        givenUp = true;
        exports.shutdownNow();
        try {
            exports.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static SpanKind kind(SpanSide kind) {
        return switch (kind) {
            case SERVER -> SpanKind.SERVER;
            case INTERNAL -> SpanKind.INTERNAL;
            case CLIENT -> SpanKind.CLIENT;
        };
    }

    /** The span context of a traceparent that has been validated. */
    private static SpanContext remote(String traceparent) {
        String[] parts = traceparent.split("-", -1);
        return SpanContext.createFromRemoteParent(
                parts[1], parts[2], TraceFlags.fromHex(parts[3], 0), TraceState.getDefault());
    }

    /**
     * Exports spans until it is shut down, because the batch processor would continue with the next batch after a
     * failure.
     */
    private final class RetryingExporter implements SpanExporter {
        private final SpanExporter exporter;

        RetryingExporter(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return givenUp ? CompletableResultCode.ofFailure() : exporter.export(spans);
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }

    private record Recorded(io.opentelemetry.api.trace.Span span) implements Span {
        @Override
        public String traceparent() {
            SpanContext context = span.getSpanContext();
            return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                    + context.getTraceFlags().asHex();
        }

        @Override
        public void end(Supplier<FinishedSpan> facts) {
            if (span.isRecording()) {
                describe(facts.get());
            }
            span.end();
        }

        private void describe(FinishedSpan facts) {
            span.updateName(facts.name());
            facts.attributes().forEach((name, value) -> {
                switch (value) {
                    case Long number -> span.setAttribute(name, number);
                    default -> span.setAttribute(name, value.toString());
                }
            });
            if (facts.error() != null) {
                span.setAttribute("error.type", facts.error());
                span.setStatus(StatusCode.ERROR);
            }
        }
    }
}
