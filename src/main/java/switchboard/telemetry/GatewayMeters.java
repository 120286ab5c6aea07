package switchboard.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Meters of things that live longer than a request, such as sessions and backends. Thread-safe. */
public final class GatewayMeters {
    private static final String SECONDS = "seconds";

    /** Buckets of session durations, from seconds to days. */
    private static final Duration[] BUCKETS = {
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1)
    };

    private final MeterRegistry registry;
    private LongSupplier sessionsEvicted = () -> 0;

    /** Meters in {@code registry}. */
    public GatewayMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Registers gauges for the number of legacy sessions and its limit. */
    public void sessions(IntSupplier active, int limit) {
        Gauge.builder(MetricNames.SESSIONS_LIMIT, () -> limit)
                .description("Maximum number of such sessions")
                .register(registry);
        Gauge.builder(MetricNames.SESSIONS_ACTIVE, active, IntSupplier::getAsInt)
                .description("Sessions of MCP versions that have them")
                .strongReference(true)
                .register(registry);
    }

    /** Registers a gauge for the number of tasks under way. */
    public void tasks(IntSupplier running) {
        Gauge.builder(MetricNames.TASKS_RUNNING, running, IntSupplier::getAsInt)
                .description("Tasks whose work the gateway does now")
                .strongReference(true)
                .register(registry);
    }

    /** Registers a counter of legacy sessions that were replaced because there were too many. */
    public void sessionsEvicted(LongSupplier evicted) {
        sessionsEvicted = evicted; // the registry would not keep it
        FunctionCounter.builder(MetricNames.SESSIONS_EVICTED, this, meters -> meters.sessionsEvicted.getAsLong())
                .description("Sessions that were replaced by newer ones because there were too many")
                .register(registry);
    }

    /** Registers the gauge that names the build, the Java version and the platform. */
    public void build(String version) {
        Gauge.builder(MetricNames.BUILD_INFO, () -> 1)
                .description("Always 1; the labels name the build and what it runs on")
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .tag("os", System.getProperty("os.name", ""))
                .tag("arch", System.getProperty("os.arch", ""))
                .register(registry);
    }

    /** Registers gauges for the disk space of {@code data}. */
    public void dataFolder(Path data) {
        FolderMeters.space(registry, data);
    }

    /** Records a legacy session that ended in any way. */
    public void sessionEnded(Duration duration) {
        Timer.builder(MetricNames.SESSION_DURATION)
                .description("Duration of MCP sessions as the server sees them")
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(duration);
    }

    /** Registers a gauge: whether the current teams file is not valid, so that older teams are in use. */
    public void teamsOutdated(BooleanSupplier failed) {
        Gauge.builder(MetricNames.TEAMS_RELOAD_FAILED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description("Whether the teams file has changed and can't be used")
                .strongReference(true)
                .register(registry);
    }

    /** Registers a gauge: when the server's certificate expires, in seconds since 1970. */
    public void certificateExpires(Supplier<Instant> when) {
        Gauge.builder(MetricNames.CERTIFICATE_EXPIRES, when, end -> end.get().getEpochSecond())
                .description("When the server's certificate expires")
                .baseUnit(SECONDS)
                .strongReference(true)
                .register(registry);
    }

    /** Registers a gauge: whether the current configuration is not valid, so that older views are in use. */
    public void viewsOutdated(BooleanSupplier failed) {
        Gauge.builder(MetricNames.CONFIG_RELOAD_FAILED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description("Whether the configuration file has changed and can't be used")
                .strongReference(true)
                .register(registry);
    }

    /** Registers a gauge: whether the current {@code files} can't be used, so that their previous content is in use. */
    public void filesOutdated(String files, BooleanSupplier failed) {
        filesOutdated(registry, files, failed);
    }

    /** The same for callers that only have a registry. */
    public static void filesOutdated(MeterRegistry registry, String files, BooleanSupplier failed) {
        Gauge.builder(MetricNames.FILES_OUTDATED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description(
                        "Whether such files have changed and can't be used, so that their previous content stays in use")
                .tag("files", files)
                .strongReference(true)
                .register(registry);
    }

    /**
     * Registers gauges: whether the engine of {@code backend} answered the last check, and whether the backend is
     * switched on.
     */
    public void backend(String backend, BooleanSupplier up, BooleanSupplier on) {
        yesOrNo(MetricNames.BACKEND_UP, "Whether the backend's engine answers", backend, up);
        yesOrNo(MetricNames.BACKEND_ON, "Whether the backend is switched on", backend, on);
    }

    private void yesOrNo(String name, String description, String backend, BooleanSupplier question) {
        Gauge.builder(name, question, value -> value.getAsBoolean() ? 1 : 0)
                .description(description)
                .tag(MetricNames.BACKEND, backend)
                .strongReference(true)
                .register(registry);
    }
}
