package switchboard.testing.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import switchboard.testing.Gate;

/** A gate that closes and opens by turns, in a thread of its own. */
final class Flapping implements Engines.Lift {
    private static final long HALF_NANOS = Duration.ofMillis(400).toNanos();

    private final Gate gate;
    private final Thread thread;
    private volatile boolean over;

    private Flapping(Gate gate) {
        this.gate = gate;
        this.thread = Thread.ofVirtual().unstarted(this::flap);
    }

    static Flapping start(Gate gate) {
        Flapping flapping = new Flapping(gate);
        flapping.thread.start();
        return flapping;
    }

    private void flap() {
        while (!over) {
            gate.become(Gate.State.GONE);
            LockSupport.parkNanos(HALF_NANOS);
            gate.become(Gate.State.OPEN);
            LockSupport.parkNanos(HALF_NANOS);
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
