package switchboard.embed;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import switchboard.telemetry.MetricNames;

/**
 * How long a model takes for a text, without waiting in the queue.
 *
 * @param query for queries
 * @param document for texts that are stored
 */
record EmbeddingDurations(Timer query, Timer document) {
    static EmbeddingDurations of(MeterRegistry meters, String model) {
        return new EmbeddingDurations(timer(meters, model, "query"), timer(meters, model, "document"));
    }

    private static Timer timer(MeterRegistry meters, String model, String kind) {
        return Timer.builder(MetricNames.EMBEDDING_DURATION)
                .description("Time to embed one text, without waiting in the queue")
                .tag("model", model)
                .tag("kind", kind)
                .register(meters);
    }
}
