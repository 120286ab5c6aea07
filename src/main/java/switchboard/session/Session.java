package switchboard.session;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open session. Thread-safe if its state is.
 *
 * @param <S> the type of its state
 */
public final class Session<S> {
    private final String key;
    private final SessionOwner owner;
    private final S state;
    private final long createdNanos;
    private static final int GIVEN_UP = -1;

    private final AtomicInteger holds = new AtomicInteger();
    /** The number of calls under way, or {@link #GIVEN_UP}. */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile long lastUse;

    /** When it was last used here, by the ticker. */
    private volatile long usedAt;

    Session(String key, SessionOwner owner, S state, long createdNanos) {
        this.key = key;
        this.owner = owner;
        this.state = state;
        this.createdNanos = createdNanos;
        this.usedAt = createdNanos;
    }

    /** The SHA-256 of its id, as base64url without padding. */
    public String key() {
        return key;
    }

    /** The owner. */
    public SessionOwner owner() {
        return owner;
    }

    /** The state that the protocol keeps in it. */
    public S state() {
        return state;
    }

    long createdNanos() {
        return createdNanos;
    }

    AtomicInteger holds() {
        return holds;
    }

    /** Whether a call or a stream is open, so that it does not expire. */
    boolean busy() {
        return holds.get() > 0 || calls.get() > 0;
    }

    /** Counts a new call; returns false if the session has been closed. */
    boolean callBegun() {
        return calls.updateAndGet(before -> before == GIVEN_UP ? GIVEN_UP : before + 1) != GIVEN_UP;
    }

    void callOver() {
        calls.updateAndGet(before -> before == GIVEN_UP ? GIVEN_UP : before - 1);
    }

    /** Closes the session for new calls; returns false if a call is under way. */
    boolean giveUp() {
        return calls.compareAndSet(0, GIVEN_UP);
    }

    /** Whether a call is under way here. */
    boolean calls() {
        return calls.get() > 0;
    }

    long usedAt() {
        return usedAt;
    }

    void usedAt(long nanos) {
        usedAt = nanos;
    }

    long lastUse() {
        return lastUse;
    }

    void used(long turn) {
        lastUse = turn;
    }
}
