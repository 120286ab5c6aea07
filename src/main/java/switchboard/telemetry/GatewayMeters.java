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

/** Meters of what lives longer than a request: sessions, backends. Thread-safe. */
public final class GatewayMeters {
    private static final String SECONDS = "seconds";

    /** Sessions live from seconds to days. */
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

    /** Meters in {@code registry}. */
    public GatewayMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Shows how many legacy sessions are alive, of how many there may be. */
    public void sessions(IntSupplier active, int limit) {
        Gauge.builder(MetricNames.SESSIONS_LIMIT, () -> limit)
                .description("How many such sessions there may be at a time")
                .register(registry);
        Gauge.builder(MetricNames.SESSIONS_ACTIVE, active, IntSupplier::getAsInt)
                .description("Sessions of MCP versions that have them")
                .strongReference(true)
                .register(registry);
    }

    /** Counts the legacy sessions that were ended because there were too many. */
    public void sessionsEvicted(LongSupplier evicted) {
        FunctionCounter.builder(MetricNames.SESSIONS_EVICTED, evicted, LongSupplier::getAsLong)
                .description("Sessions that had to give way to others because there were too many")
                .register(registry);
    }

    /** Shows which build this is, and what it runs on. */
    public void build(String version) {
        Gauge.builder(MetricNames.BUILD_INFO, () -> 1)
                .description("Always 1; which build this is, and what it runs on")
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .tag("os", System.getProperty("os.name", ""))
                .tag("arch", System.getProperty("os.arch", ""))
                .register(registry);
    }

    /** Shows how much room there is for what is kept in {@code data}. */
    public void dataFolder(Path data) {
        FolderMeters.space(registry, data);
    }

    /** Counts a legacy session that ended, for whatever reason. */
    public void sessionEnded(Duration duration) {
        Timer.builder(MetricNames.SESSION_DURATION)
                .description("Duration of MCP sessions as the server sees them")
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(duration);
    }

    /** Shows whether the teams file as it is could not be read, so that older teams are in force. */
    public void teamsOutdated(BooleanSupplier failed) {
        Gauge.builder(MetricNames.TEAMS_RELOAD_FAILED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description("Whether the teams file has changed and can't be used")
                .strongReference(true)
                .register(registry);
    }

    /** Shows when the server's certificate ends, in seconds since 1970. */
    public void certificateExpires(Supplier<Instant> when) {
        Gauge.builder(MetricNames.CERTIFICATE_EXPIRES, when, end -> end.get().getEpochSecond())
                .description("When the server's certificate ends")
                .baseUnit(SECONDS)
                .strongReference(true)
                .register(registry);
    }

    /** Shows whether the configuration as it is could not be read, so that older views are in force. */
    public void viewsOutdated(BooleanSupplier failed) {
        Gauge.builder(MetricNames.CONFIG_RELOAD_FAILED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description("Whether the configuration file has changed and can't be used")
                .strongReference(true)
                .register(registry);
    }

    /** Shows whether {@code files} as they are could not be read, so that what they said before is in force. */
    public void filesOutdated(String files, BooleanSupplier failed) {
        filesOutdated(registry, files, failed);
    }

    /** The same for those who have a registry only. */
    public static void filesOutdated(MeterRegistry registry, String files, BooleanSupplier failed) {
        Gauge.builder(MetricNames.FILES_OUTDATED, failed, value -> value.getAsBoolean() ? 1 : 0)
                .description("Whether such files have changed and can't be used, so that those before are in force")
                .tag("files", files)
                .strongReference(true)
                .register(registry);
    }

    /** Shows whether the engine of {@code backend} answers, as last probed, and whether the operator lets calls through. */
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
