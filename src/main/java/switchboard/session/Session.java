package switchboard.session;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A live session. Thread-safe as far as its state is.
 *
 * @param <S> what is remembered in it
 */
public final class Session<S> {
    private final String id;
    private final Owner owner;
    private final S state;
    private final long createdNanos;
    private final AtomicInteger holds = new AtomicInteger();
    private volatile long lastUse;

    Session(String id, Owner owner, S state, long createdNanos) {
        this.id = id;
        this.owner = owner;
        this.state = state;
        this.createdNanos = createdNanos;
    }

    /** Its id: visible ASCII, not guessable. */
    public String id() {
        return id;
    }

    /** Whose it is. */
    public Owner owner() {
        return owner;
    }

    /** What is remembered in it. */
    public S state() {
        return state;
    }

    long createdNanos() {
        return createdNanos;
    }

    AtomicInteger holds() {
        return holds;
    }

    long lastUse() {
        return lastUse;
    }

    void used(long turn) {
        lastUse = turn;
    }
}
