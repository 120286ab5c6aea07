package switchboard.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Counts calls under way, per backend and in all. The one too many at a backend may wait for a while; the one too many in
 * the process is refused at once. Thread-safe, never blocks.
 */
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
    Optional<Permit> enter(String backend) {
        return permit(backend, _ -> {}).filter(permit -> permit.lane.enter() || !permit.abandon());
    }

    /**
     * A permit that has still to wait for room, or nothing when too many wait. It must be closed like any other.
     *
     * @param whenRoom gets the permit once there is room, on the thread that made it; must not block
     */
    Optional<Permit> queue(String backend, Consumer<Permit> whenRoom) {
        Optional<Permit> waiting =
                permit(backend, whenRoom).filter(permit -> permit.lane.queue(permit) || !permit.abandon());
        // Room may have been made since the caller was told that there is none.
        waiting.ifPresent(permit -> permit.lane.next().forEach(Permit::room));
        return waiting;
    }

    /** A call was not let in. */
    void rejected(String backend) {
        lane(backend).reject();
    }

    /** Calls under way or waiting. */
    int admitted() {
        return total.get();
    }

    private Optional<Permit> permit(String backend, Consumer<Permit> whenRoom) {
        if (total.incrementAndGet() > limits.total()) {
            total.decrementAndGet();
            return Optional.empty();
        }
        return Optional.of(new Permit(lane(backend), total, whenRoom));
    }

    private Lane lane(String backend) {
        return lanes.computeIfAbsent(backend, id -> new Lane(id, limits, meters));
    }

    /** Leave to run one call, at once or when its turn comes. */
    static final class Permit implements AutoCloseable {
        private final Lane lane;
        private final AtomicInteger total;
        private final Consumer<Permit> whenRoom;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Permit(Lane lane, AtomicInteger total, Consumer<Permit> whenRoom) {
            this.lane = lane;
            this.total = total;
            this.whenRoom = whenRoom;
        }

        void room() {
            whenRoom.accept(this);
        }

        /** The call that ran under it, one of {@code operation}, took so long. */
        void took(String operation, long nanos) {
            lane.took(operation, nanos);
        }

        /** Stops waiting and closes it; false when it waits no more. */
        boolean giveUp() {
            return lane.leaveQueue(this) && abandon();
        }

        /** Closes it without a place in the lane; always true. */
        private boolean abandon() {
            if (open.compareAndSet(true, false)) {
                total.decrementAndGet();
            }
            return true;
        }

        @Override
        public void close() {
            if (!giveUp() && open.compareAndSet(true, false)) {
                total.decrementAndGet();
                lane.leave().forEach(Permit::room);
            }
        }
    }
}
