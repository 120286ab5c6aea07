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

/** The process's meter registry with what the JVM says about itself. Close it when the process ends. */
public final class Metrics implements AutoCloseable {
    private final CurrentTrace trace = new CurrentTrace();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(new Exposition(), new PrometheusRegistry(), Clock.SYSTEM, trace);
    private final JvmGcMetrics collector = new JvmGcMetrics();

    /**
     * Exemplars at buckets and counters only, as OpenMetrics 1.0 has them. Micrometer's default writes them at the counts
     * of histograms too, and Prometheus then refuses the whole scrape.
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

    /** A registry that has the JVM's meters and no others yet. */
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

    /** Where meters are registered and scraped. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Meters of requests, with the traces of single ones as exemplars. */
    public OperationMeters operations() {
        return new OperationMeters(registry, trace);
    }

    /** Meters of calls of backends, with the traces of single ones as exemplars. */
    public BackendMeters backendCalls() {
        return new BackendMeters(registry, trace);
    }

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
