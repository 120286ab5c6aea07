package switchboard.backend.agentroot.schedule;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.store.Namespace;
import switchboard.telemetry.MetricNames;

/** Metrics of the schedules of one backend: how old collections are, how old they may be, and updates that failed. */
public final class ScheduleMeters {
    private final MeterRegistry registry;
    private final String backend;
    private final Map<Namespace, List<Meter>> shown = new ConcurrentHashMap<>();

    /** Those of {@code backend}, which are there as long as a collection has a schedule. */
    public ScheduleMeters(MeterRegistry registry, String backend) {
        this.registry = registry;
        this.backend = backend;
    }

    void show(Namespace collection, Supplier<Number> age, Supplier<Number> longest) {
        shown.computeIfAbsent(
                collection,
                _ -> List.of(
                        gauge(MetricNames.COLLECTION_AGE, collection, age),
                        gauge(MetricNames.COLLECTION_AGE_LIMIT, collection, longest),
                        failures(collection)));
    }

    private Meter gauge(String name, Namespace collection, Supplier<Number> value) {
        return Gauge.builder(name, value)
                .baseUnit("seconds")
                .tags(tags(collection))
                .register(registry);
    }

    private Counter failures(Namespace collection) {
        return registry.counter(MetricNames.COLLECTION_UPDATE_FAILURES, tags(collection));
    }

    private Tags tags(Namespace collection) {
        return Tags.of(
                MetricNames.BACKEND,
                backend,
                MetricNames.COLLECTION,
                collection.owner().isEmpty() ? collection.name() : collection.owner() + "/" + collection.name());
    }

    void hide(Namespace collection) {
        List<Meter> meters = shown.remove(collection);
        if (meters != null) {
            meters.forEach(registry::remove);
        }
    }

    void failed(Namespace collection) {
        failures(collection).increment();
    }
}
