package switchboard.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import switchboard.concurrent.FairQueue;

/**
 * Counts calls under way, per backend and in all; each team has a share of both. A call beyond a backend's limit may
 * wait for a while; one beyond the total limit is refused at once. Thread-safe, never blocks.
 */
final class Admission {
    private final DispatchLimits limits;
    private final MeterRegistry meters;
    private final LongSupplier nanos;
    private final Total total;
    private final Map<String, BackendQueue> backendQueues = new ConcurrentHashMap<>();

    Admission(DispatchLimits limits, MeterRegistry meters, LongSupplier nanos) {
        this.limits = limits;
        this.meters = meters;
        this.nanos = nanos;
        this.total = new Total(limits);
    }

    /** A permit, which must be closed when the call is over; empty if there is no room. */
    Optional<Permit> enter(String backend, String team) {
        return permit(backend, team, _ -> {}).filter(permit -> permit.backendQueue.enter(team) || !permit.abandon());
    }

    /**
     * A permit that has to wait; empty if too many wait. It must be closed like any other.
     *
     * @param whenRoom receives the permit when there is room, on the thread that made room; must not block
     */
    Optional<Permit> queue(String backend, String team, Consumer<Permit> whenRoom) {
        Optional<Permit> waiting = permit(backend, team, whenRoom)
                .filter(permit -> permit.backendQueue.queue(permit) || !permit.abandon());
        // Room may have been made since the caller was told that there is none.
        waiting.ifPresent(permit -> permit.backendQueue.next().forEach(Permit::room));
        return waiting;
    }

    /** Counts a refused call. */
    void rejected(String backend) {
        queue(backend).reject();
    }

    /** Calls under way or waiting. */
    int admitted() {
        return total.taken();
    }

    private Optional<Permit> permit(String backend, String team, Consumer<Permit> whenRoom) {
        return total.enter(team) ? Optional.of(new Permit(queue(backend), team, total, whenRoom)) : Optional.empty();
    }

    private BackendQueue queue(String backend) {
        return backendQueues.computeIfAbsent(backend, id -> new BackendQueue(id, limits, meters, nanos));
    }

    /** Calls under way or waiting, in all. */
    private static final class Total {
        private final FairQueue<Permit> fairQueue;

        Total(DispatchLimits limits) {
            this.fairQueue = new FairQueue<>(limits::total, 0, limits.share());
        }

        synchronized boolean enter(String team) {
            return fairQueue.enter(team);
        }

        synchronized void leave(String team) {
            fairQueue.leave(team);
        }

        synchronized int taken() {
            return fairQueue.taken();
        }
    }

    /** Permission to run one call, at once or after waiting. */
    static final class Permit implements AutoCloseable {
        private final BackendQueue backendQueue;
        private final String team;
        private final Total total;
        private final Consumer<Permit> whenRoom;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Permit(BackendQueue backendQueue, String team, Total total, Consumer<Permit> whenRoom) {
            this.backendQueue = backendQueue;
            this.team = team;
            this.total = total;
            this.whenRoom = whenRoom;
        }

        String team() {
            return team;
        }

        void room() {
            whenRoom.accept(this);
        }

        /** Records the duration of the call, which belongs to {@code operation}. */
        void took(String operation, long nanos) {
            backendQueue.took(operation, nanos);
        }

        /** Stops waiting and closes it; false if it no longer waits. */
        boolean giveUp() {
            return backendQueue.leaveQueue(this) && abandon();
        }

        /** Closes a permit that was never queued; always true. */
        private boolean abandon() {
            if (open.compareAndSet(true, false)) {
                total.leave(team);
            }
            return true;
        }

        @Override
        public void close() {
            if (!giveUp() && open.compareAndSet(true, false)) {
                total.leave(team);
                backendQueue.leave(team).forEach(Permit::room);
            }
        }
    }
}
