package switchboard.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The calls under way at one backend, and those that wait for room there, first come, first served. Thread-safe. */
final class Lane {
    private final int mostWaiting;
    private final AdaptiveLimit limit;
    private final UsualLatency usual = new UsualLatency();
    private final Deque<Admission.Permit> waiting = new ArrayDeque<>();
    private final Counter rejected;
    private int inFlight;

    Lane(String backend, DispatchLimits limits, MeterRegistry meters) {
        this.mostWaiting = limits.waiting();
        this.limit = new AdaptiveLimit(limits.fewest(), limits.perBackend(), System.nanoTime());
        this.rejected = Counter.builder("switchboard.calls.rejected")
                .description("Calls refused because too many were under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder("switchboard.calls.in.flight", this, Lane::inFlight)
                .description("Calls under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder("switchboard.calls.waiting", this, Lane::waiting)
                .description("Calls waiting until fewer are under way")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder("switchboard.calls.limit", this, Lane::limit)
                .description("Calls that may be under way, as its latency has it")
                .tag("backend", backend)
                .register(meters);
    }

    private synchronized int inFlight() {
        return inFlight;
    }

    private synchronized int waiting() {
        return waiting.size();
    }

    private synchronized int limit() {
        return limit.value();
    }

    void reject() {
        rejected.increment();
    }

    /** Takes a place unless all are taken, or others have waited for one before. */
    synchronized boolean enter() {
        if (inFlight >= limit.value() || !waiting.isEmpty()) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Has {@code waiter} wait for a place, unless too many do. */
    synchronized boolean queue(Admission.Permit waiter) {
        if (waiting.size() >= mostWaiting) {
            return false;
        }
        waiting.add(waiter);
        return true;
    }

    /** Takes {@code waiter} back; false when it has got a place already. */
    synchronized boolean leaveQueue(Admission.Permit waiter) {
        return waiting.remove(waiter);
    }

    /** A call of {@code operation} has taken so long. */
    synchronized void took(String operation, long nanos) {
        long now = System.nanoTime();
        limit.sample(usual.slowness(operation, nanos, now), inFlight, now);
    }

    /** Gives a place back; those who wait and now have one are to be told outside the lock. */
    synchronized List<Admission.Permit> leave() {
        inFlight--;
        return next();
    }

    /** Gives the places that are free to those who wait. */
    synchronized List<Admission.Permit> next() {
        List<Admission.Permit> next = new ArrayList<>(1);
        while (inFlight < limit.value() && !waiting.isEmpty()) {
            next.add(waiting.remove());
            inFlight++;
        }
        return next;
    }
}
