package switchboard.telemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** The process's meter registry with what the JVM says about itself. Close it when the process ends. */
public final class Metrics implements AutoCloseable {
    private final CurrentTrace trace = new CurrentTrace();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, trace);
    private final JvmGcMetrics collector = new JvmGcMetrics();

    /** A registry that has the JVM's meters and no others yet. */
    public Metrics() {
        collector.bindTo(registry);
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

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
