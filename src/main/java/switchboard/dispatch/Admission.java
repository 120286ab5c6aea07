package switchboard.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts calls under way, per backend and in all, and refuses the one too many. Thread-safe, never waits. */
final class Admission {
    private final DispatchLimits limits;
    private final MeterRegistry meters;
    private final AtomicInteger total = new AtomicInteger();
    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

    Admission(DispatchLimits limits, MeterRegistry meters) {
        this.limits = limits;
        this.meters = meters;
    }

    /** A permit that must be closed once the call is over, or nothing when there is no room. */
    Optional<Permit> tryAcquire(String backend) {
        Lane lane = lanes.computeIfAbsent(backend, id -> new Lane(id, meters));
        if (!take(total, limits.total())) {
            lane.rejected.increment();
            return Optional.empty();
        }
        if (!take(lane.inFlight, limits.perBackend())) {
            total.decrementAndGet();
            lane.rejected.increment();
            return Optional.empty();
        }
        return Optional.of(new Permit(lane.inFlight, total));
    }

    int inFlight() {
        return total.get();
    }

    private static boolean take(AtomicInteger counter, int limit) {
        if (counter.incrementAndGet() > limit) {
            counter.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Leave to run one call. */
    static final class Permit implements AutoCloseable {
        private final AtomicInteger lane;
        private final AtomicInteger total;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Permit(AtomicInteger lane, AtomicInteger total) {
            this.lane = lane;
            this.total = total;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                lane.decrementAndGet();
                total.decrementAndGet();
            }
        }
    }

    private static final class Lane {
        private final AtomicInteger inFlight = new AtomicInteger();
        private final Counter rejected;

        Lane(String backend, MeterRegistry meters) {
            rejected = Counter.builder("switchboard.calls.rejected")
                    .description("Calls refused because too many were under way")
                    .tag("backend", backend)
                    .register(meters);
            Gauge.builder("switchboard.calls.in.flight", inFlight, AtomicInteger::get)
                    .description("Calls under way")
                    .tag("backend", backend)
                    .register(meters);
        }
    }
}
