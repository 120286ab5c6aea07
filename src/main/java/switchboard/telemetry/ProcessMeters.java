package switchboard.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The metrics that Prometheus' client libraries have for each process: memory, processor time, open files.
 * Micrometer's binders have all except memory, with other names and units; those are renamed and not shown twice.
 */
final class ProcessMeters implements MeterBinder {
    /** Exists on Linux only. */
    private static final Path STATUS = Path.of("/proc/self/status");

    private static final double BYTES_PER_KIB = 1024;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String NANOSECONDS = "process.cpu.time";

    private static final Map<String, String> NAMES = Map.of(
            "process.files.open", "process.open.fds",
            "process.files.max", "process.max.fds",
            "system.cpu.count", "system.cpus");

    /** Renames the meters of Micrometer's binders. Must be added before them. */
    static MeterFilter names() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                String usual = NAMES.get(id.getName());
                return usual == null ? id : id.withName(usual).withBaseUnit(null);
            }
        };
    }

    /** Removes a meter that this class has in seconds. */
    static MeterFilter units() {
        return MeterFilter.denyNameStartsWith(NANOSECONDS);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        ProcessHandle self = ProcessHandle.current();
        FunctionCounter.builder("process.cpu", self, ProcessMeters::cpuSeconds)
                .description("Processor time that the process has used")
                .baseUnit("seconds")
                .register(registry);
        if (Files.isReadable(STATUS)) {
            memory(registry, "process.resident.memory", "VmRSS", "Physical memory that the process uses");
            memory(registry, "process.virtual.memory", "VmSize", "Address space of the process");
        }
    }

    private static double cpuSeconds(ProcessHandle self) {
        return self.info()
                .totalCpuDuration()
                .map(used -> used.toNanos() / NANOS_PER_SECOND)
                .orElse(Double.NaN);
    }

    private static void memory(MeterRegistry registry, String name, String field, String description) {
        Gauge.builder(name, () -> kibibytes(field) * BYTES_PER_KIB)
                .description(description)
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
    }

    /** Reads a line such as {@code VmRSS:	  123456 kB}. */
    private static double kibibytes(String field) {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(field + ":"))
                    .map(line ->
                            line.substring(field.length() + 1).replace("kB", "").strip())
                    .mapToDouble(Double::parseDouble)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | NumberFormatException _) {
            return Double.NaN;
        }
    }
}
