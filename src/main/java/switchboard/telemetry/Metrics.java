package switchboard.telemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The process's meter registry with the JVM's meters. Close it when the process ends. */
public final class Metrics implements AutoCloseable {
    private final CurrentTrace trace = new CurrentTrace();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(new Exposition(), new PrometheusRegistry(), Clock.SYSTEM, trace);
    private final JvmGcMetrics collector = new JvmGcMetrics();

    /**
     * Writes exemplars at buckets and counters only, as in OpenMetrics 1.0. By default Micrometer also writes them at
     * the counts of histograms, and Prometheus then refuses the whole scrape.
     */
    private static final class Exposition implements PrometheusConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public Properties prometheusProperties() {
            return new Properties();
        }
    }

    /** A registry with the JVM's meters only. */
    public Metrics() {
        registry.config().meterFilter(ProcessMeters.units()).meterFilter(ProcessMeters.names());
        collector.bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new ProcessMeters().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** The registry. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Meters of requests, with exemplars. */
    public OperationMeters operations() {
        return new OperationMeters(registry, trace);
    }

    /** Meters of backend calls, with exemplars. */
    public BackendMeters backendCalls() {
        return new BackendMeters(registry, trace);
    }

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
