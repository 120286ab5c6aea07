package switchboard.session;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A live session. Thread-safe as far as its state is.
 *
 * @param <S> what is remembered in it
 */
public final class Session<S> {
    private final String id;
    private final SessionOwner owner;
    private final S state;
    private final long createdNanos;
    private static final int GIVEN_UP = -1;

    private final AtomicInteger holds = new AtomicInteger();
    /** How many calls are under way, or {@link #GIVEN_UP}. */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile long lastUse;

    Session(String id, SessionOwner owner, S state, long createdNanos) {
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
    public SessionOwner owner() {
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

    /** Whether something in it is open or under way, so that it does not expire. */
    boolean busy() {
        return holds.get() > 0 || calls.get() > 0;
    }

    /** One more call; returns false where the session was given up before. */
    boolean callBegun() {
        return calls.updateAndGet(before -> before == GIVEN_UP ? GIVEN_UP : before + 1) != GIVEN_UP;
    }

    void callOver() {
        calls.updateAndGet(before -> before == GIVEN_UP ? GIVEN_UP : before - 1);
    }

    /** Has no call begin any more; returns false where one is under way. */
    boolean giveUp() {
        return calls.compareAndSet(0, GIVEN_UP);
    }

    long lastUse() {
        return lastUse;
    }

    void used(long turn) {
        lastUse = turn;
    }
}
