package switchboard.embed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import switchboard.call.FailureKind;
import switchboard.telemetry.MetricNames;

/** Counts failed requests for vectors, by kind. Expected kinds start at zero. */
final class EmbeddingFailures {
    private final MeterRegistry meters;
    private final String provider;
    private final String model;

    EmbeddingFailures(MeterRegistry meters, String provider, String model) {
        this.meters = meters;
        this.provider = provider;
        this.model = model;
        counter(FailureKind.UNAVAILABLE.name());
        counter(FailureKind.TIMEOUT.name());
    }

    void failed(FailureKind kind) {
        counter(kind.name()).increment();
    }

    /** Counts a request that was refused because the provider is not called for a while. */
    void refused() {
        counter("RESTING").increment();
    }

    private Counter counter(String kind) {
        return Counter.builder(MetricNames.EMBEDDING_FAILURES)
                .description("Requests for vectors that failed")
                .tag("provider", provider)
                .tag("model", model)
                .tag("error_type", kind)
                .register(meters);
    }
}
