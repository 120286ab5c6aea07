package switchboard.protocol;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;

/**
 * Tells open streams that a backend's tools, prompts or resources changed. The number of streams is bounded.
 * Thread-safe.
 */
public final class ChangeHub {
    /** An open stream. Called on whichever thread has news: must not block. */
    public interface Listener {
        /** A list of {@code backendId} changed. */
        void changed(String backendId, ListChanged.Kind kind);

        /** Whose stream it is, as of when it was opened. */
        Principal principal();

        /** What its principal may see has changed: the stream says so and ends; the client lists again and comes back. */
        void outdated();

        /** The gateway stops: the stream should say goodbye. */
        void shutdown();
    }

    /** A listener's place, given back by closing. */
    public interface Subscription extends AutoCloseable {
        /** Gives the place back; further calls do nothing. */
        @Override
        void close();
    }

    private final int maxStreams;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Listener> listeners = new ConcurrentHashMap<>();
    private volatile boolean over;

    /** A hub of at most {@code maxStreams} streams. */
    public ChangeHub(int maxStreams) {
        this.maxStreams = maxStreams;
    }

    /** A place for {@code listener}, or nothing when all are taken or the gateway stops. */
    public Optional<Subscription> subscribe(Listener listener) {
        if (open.incrementAndGet() > maxStreams) {
            open.decrementAndGet();
            return Optional.empty();
        }
        Long id = ids.incrementAndGet();
        listeners.put(id, listener);
        Subscription place = () -> {
            if (listeners.remove(id) != null) {
                open.decrementAndGet();
            }
        };
        if (over) {
            // Clients reopen a stream that ended at once; that must not hold up the stop.
            place.close();
            return Optional.empty();
        }
        return Optional.of(place);
    }

    /** Tells every stream that a list of the backend {@code backendId} changed. */
    public void publish(String backendId, ListChanged.Kind kind) {
        listeners.values().forEach(listener -> listener.changed(backendId, kind));
    }

    /** Tells the streams of the principals that {@code whose} names that what they may see has changed. */
    public void outdate(Predicate<Principal> whose) {
        listeners.values().stream()
                .filter(listener -> whose.test(listener.principal()))
                .forEach(Listener::outdated);
    }

    /** Tells every stream to end; no more are opened. */
    public void shutdown() {
        over = true;
        listeners.values().forEach(Listener::shutdown);
    }

    /** How many streams are open. */
    public int openStreams() {
        return open.get();
    }
}
