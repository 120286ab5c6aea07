package switchboard.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.LongSupplier;
import switchboard.concurrent.FairQueue;
import switchboard.telemetry.MetricNames;

/**
 * The calls under way at one backend, and those that wait: teams take turns, within a team it is first come, first
 * served, and none gets more than its share. Thread-safe.
 */
final class BackendQueue {
    private final LongSupplier nanos;
    private final AdaptiveLimit limit;
    private final LatencyBaseline usual = new LatencyBaseline();
    private final FairQueue<Admission.Permit> fairQueue;
    private final Counter rejected;

    BackendQueue(String backend, DispatchLimits limits, MeterRegistry meters, LongSupplier nanos) {
        this.nanos = nanos;
        this.limit = new AdaptiveLimit(limits.fewest(), limits.perBackend(), nanos.getAsLong());
        this.fairQueue = new FairQueue<>(limit::value, limits.waiting(), limits.share());
        this.rejected = Counter.builder(MetricNames.CALLS_REJECTED)
                .description("Calls refused because too many were under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder(MetricNames.CALLS_IN_FLIGHT, this, BackendQueue::inFlight)
                .description("Calls under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder(MetricNames.CALLS_WAITING, this, BackendQueue::waiting)
                .description("Calls waiting until fewer are under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder(MetricNames.CALLS_LIMIT, this, BackendQueue::limit)
                .description("Current limit of calls under way; it adapts to the backend's latency")
                .tag("backend", backend)
                .register(meters);
    }

    private synchronized int inFlight() {
        return fairQueue.taken();
    }

    private synchronized int waiting() {
        return fairQueue.waiting();
    }

    private synchronized int limit() {
        return limit.value();
    }

    void reject() {
        rejected.increment();
    }

    /** Takes a place for {@code team}, unless none is free for it or others wait. */
    synchronized boolean enter(String team) {
        return fairQueue.enter(team);
    }

    /** Queues {@code waiter}, unless too many wait. */
    synchronized boolean queue(Admission.Permit waiter) {
        return fairQueue.queue(waiter.team(), waiter);
    }

    /** Removes {@code waiter} from the queue; false if it has got a place already. */
    synchronized boolean leaveQueue(Admission.Permit waiter) {
        return fairQueue.leaveQueue(waiter.team(), waiter);
    }

    /** Records the duration of a call of {@code operation}. */
    synchronized void took(String operation, long duration) {
        long now = nanos.getAsLong();
        limit.sample(usual.slowness(operation, duration, now), fairQueue.taken(), now);
    }

    /** Releases a place of {@code team}. The returned permits have got a place; notify them outside the lock. */
    synchronized List<Admission.Permit> leave(String team) {
        fairQueue.leave(team);
        return next();
    }

    /** Gives free places to waiting calls. */
    synchronized List<Admission.Permit> next() {
        return fairQueue.grant();
    }
}
