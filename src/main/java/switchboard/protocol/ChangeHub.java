package switchboard.protocol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import switchboard.call.BackendEvent.ListChanged;

/**
 * Notifies open streams of changes to a backend's tools, prompts or resources. The number of streams is limited and
 * shared fairly: at the limit a new stream replaces the oldest one of the team with most, unless its own team would
 * then have more than that one. Thread-safe.
 */
public final class ChangeHub {
    /** An open stream. Called on whichever thread has news: must not block. */
    public interface Listener extends ResourceWatching.Watcher {
        /** A list of {@code backendId} changed. */
        void changed(String backendId, ListChanged change);

        /** Its principal's list of that kind is another one now. */
        void relisted(ListChanged.ListType kind);

        /**
         * The rights of its principal have changed: the stream notifies the client and ends; the client lists again
         * and reconnects.
         */
        void outdated();

        /** The gateway stops, or another team needs the place: the stream should end properly. */
        void shutdown();
    }

    /** A listener's place; closing it frees the place. */
    public interface Subscription extends AutoCloseable {
        /** Releases the place. Further calls do nothing. */
        @Override
        void close();
    }

    private final int maxStreams;
    private final AtomicLong ids = new AtomicLong();
    /** The oldest first. */
    private final NavigableMap<Long, Listener> listeners = new ConcurrentSkipListMap<>();

    private volatile boolean over;
    private volatile ResourceWatching watching = ResourceWatching.NONE;

    /** A hub of at most {@code maxStreams} streams. */
    public ChangeHub(int maxStreams) {
        this.maxStreams = maxStreams;
    }

    /**
     * A place for {@code listener}, or nothing when its team has its share or the gateway stops. A listener that watches resources
     * then calls {@link ResourceWatching#look} or {@code lookAndAsk} itself.
     */
    public synchronized Optional<Subscription> subscribe(Listener listener) {
        // Clients reopen a stream that ended at once; that must not hold up the stop.
        if (over
                || (listeners.size() >= maxStreams
                        && !makeRoom(listener.principal().team()))) {
            return Optional.empty();
        }
        Long id = ids.incrementAndGet();
        listeners.put(id, listener);
        return Optional.of(() -> {
            if (listeners.remove(id) != null && !listener.watched().isEmpty()) {
                watching.look();
            }
        });
    }

    /** Ends the oldest stream of the team with most, if {@code team} would still have fewer with one more. */
    private boolean makeRoom(String team) {
        Map<String, Integer> streams = new HashMap<>();
        listeners
                .values()
                .forEach(listener -> streams.merge(listener.principal().team(), 1, Integer::sum));
        int own = streams.getOrDefault(team, 0);
        Optional<String> most = streams.entrySet().stream()
                .filter(other -> other.getValue() > own + 1)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        most.ifPresent(this::endOldest);
        return most.isPresent();
    }

    private void endOldest(String team) {
        for (Map.Entry<Long, Listener> stream : listeners.entrySet()) {
            if (stream.getValue().principal().team().equals(team)) {
                listeners.remove(stream.getKey());
                stream.getValue().shutdown();
                return;
            }
        }
    }

    /** Notifies every stream that a list of the backend {@code backendId} has changed. */
    public void publish(String backendId, ListChanged change) {
        listeners.values().forEach(listener -> listener.changed(backendId, change));
        watching.look(); // what it lists decides which URIs are its own
    }

    /** Notifies the streams that watch them that these resources of {@code backendId}, another server, have changed. */
    public void updated(String backendId, Set<String> uris) {
        watching.updated(backendId, uris);
    }

    /** The open streams, the oldest first. */
    List<Listener> listeners() {
        return List.copyOf(listeners.values());
    }

    /** What passes on which resources clients watch. */
    public ResourceWatching watching() {
        return watching;
    }

    /**
     * Has {@code passing} tell other servers what is watched. Called once, before streams open; nothing is passed on until then.
     */
    public void passOn(ResourceWatching passing) {
        watching = passing;
    }

    /** Notifies the matching streams that their list of tools has changed. */
    public void relist(Predicate<Listener> which) {
        listeners.values().stream().filter(which).forEach(listener -> listener.relisted(ListChanged.ListType.TOOLS));
        watching.look();
    }

    /** Notifies the matching streams that their list of resources has changed. */
    public void relistResources(Predicate<Listener> which) {
        listeners.values().stream()
                .filter(which)
                .forEach(listener -> listener.relisted(ListChanged.ListType.RESOURCES));
        watching.look();
    }

    /** Notifies the matching streams that the rights of their principals have changed, and ends them. */
    public void outdate(Predicate<Listener> which) {
        listeners.values().stream().filter(which).forEach(Listener::outdated);
    }

    /** Ends every stream; no more can be opened. */
    public synchronized void shutdown() {
        over = true;
        listeners.values().forEach(Listener::shutdown);
    }

    /** How many streams are open. */
    public int openStreams() {
        return listeners.size();
    }
}
