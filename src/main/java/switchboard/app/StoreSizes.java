package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import switchboard.async.Futures;
import switchboard.concurrent.BlockingExecutor;
import switchboard.telemetry.MetricNames;

/**
 * How much disk the files of stores take. To know that takes a look at each file, so it is looked for in the background, when somebody
 * asks and the last answer is older than a minute. Thread-safe; does not block.
 */
final class StoreSizes {
    private static final Duration KNOWN_FOR = Duration.ofMinutes(1);

    private final MeterRegistry meters;
    private final BlockingExecutor executor;
    private final Clock clock;
    private final Map<String, Size> known = new ConcurrentHashMap<>();

    /**
     * What is known of a store.
     *
     * @param bytes negative if that was never found out
     * @param asked when it was looked for last
     */
    private record Size(long bytes, Instant asked) {}

    /** Those that {@code meters} measure. */
    StoreSizes(MeterRegistry meters, BlockingExecutor executor, Clock clock) {
        this.meters = meters;
        this.executor = executor;
        this.clock = clock;
    }

    /** Adds {@code disk_bytes} to the backends of {@code shown} whose numbers are shown. */
    ObjectNode added(ObjectNode shown) {
        shown.path("backends").forEach(backend -> {
            if (backend instanceof ObjectNode one && one.has("calls")) {
                of(one.path("id").asText()).ifPresent(bytes -> one.put("disk_bytes", bytes));
            }
        });
        return shown;
    }

    private OptionalLong of(String store) {
        Gauge gauge = meters.find(MetricNames.STORE_SIZE)
                .tag(MetricNames.STORE, store)
                .gauge();
        if (gauge == null) {
            return OptionalLong.empty();
        }
        Instant now = clock.instant();
        Size last = known.get(store);
        if (last == null || last.asked().plus(KNOWN_FOR).isBefore(now)) {
            long before = last == null ? -1 : last.bytes();
            known.put(store, new Size(before, now));
            Futures.finish(
                    executor.run(() -> Optional.of(gauge.value()).filter(Double::isFinite)),
                    bytes -> bytes.ifPresent(found -> known.put(store, new Size(Math.round(found), now))),
                    _ -> {});
        }
        Size size = known.get(store);
        return size == null || size.bytes() < 0 ? OptionalLong.empty() : OptionalLong.of(size.bytes());
    }
}
