package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ResourceWatching;
import switchboard.protocol.SessionState;

/** The state of a session. Thread-safe, because its requests may come on different event loops. */
final class LegacySession implements SessionState {
    static final int MOST_SUBSCRIPTIONS = 1000;

    /** The number of changed resources that are kept for a client without a stream. */
    private static final int MOST_UPDATES = 1000;

    /** The client capabilities that are kept: those that other servers must know. */
    private static final List<String> KEPT = List.of("elicitation", "extensions", "roots", "sampling");

    private static final int LARGEST_CAPABILITY = 2048;

    private volatile ProtocolVersion version;
    private volatile ObjectNode capabilities;
    private final PendingClientRequests pendingClientRequests = new PendingClientRequests();
    private final Map<JsonNode, Runnable> inFlight = new ConcurrentHashMap<>();
    private final Set<String> subscribed = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable GetStream> stream = new AtomicReference<>();
    private final Map<String, SessionValues> kept = new ConcurrentHashMap<>();
    private final Set<Runnable> lossListeners = ConcurrentHashMap.newKeySet();
    private volatile @Nullable LogLevel logLevel;
    private volatile @Nullable StreamSession streamSession;
    private final ReplayBuffer replayBuffer;
    private final AtomicBoolean missedChanges = new AtomicBoolean();
    private final UnwrittenChanges unwritten = new UnwrittenChanges();
    private volatile boolean streamElsewhere;
    private volatile long revision;
    private final Map<String, Map<String, Set<String>>> updates = new HashMap<>();
    private int keptUpdates;

    /** A session of a client that has declared its capabilities. */
    LegacySession(ProtocolVersion version, JsonNode declared, ResumeLimits limits) {
        this.version = version;
        this.replayBuffer = ReplayBuffer.create(limits);
        this.capabilities = known(declared);
    }

    /** A session before the handshake. */
    static LegacySession beforeHandshake(ResumeLimits limits) {
        return new LegacySession(ProtocolVersion.ASSUMED, Json.object(), limits);
    }

    private static ObjectNode known(JsonNode declared) {
        ObjectNode kept = Json.object();
        for (String capability : KEPT) {
            JsonNode details = declared.path(capability);
            if (details.isObject()) {
                kept.set(capability, Json.bytes(details).length <= LARGEST_CAPABILITY ? details : Json.object());
            }
        }
        return kept;
    }

    /** A session that another process has begun. Its client may have missed changes. */
    static LegacySession restored(ProtocolVersion version, JsonNode declared, ResumeLimits limits) {
        LegacySession session = new LegacySession(version, declared, limits);
        session.missedChanges.set(true);
        return session;
    }

    /** Whether its client may have missed changes; true at most once. */
    boolean missedChanges() {
        return missedChanges.getAndSet(false);
    }

    /** The questions and extensions that its client supports. */
    ObjectNode capabilities() {
        return capabilities;
    }

    /** The messages of its streams; empty if its version does not support resuming. */
    Optional<ReplayBuffer> replayBuffer() {
        return streamSession == null && version.atLeast(ProtocolVersion.V2025_11_25)
                ? Optional.of(replayBuffer)
                : Optional.empty();
    }

    /** The open questions to its client. */
    PendingClientRequests questions() {
        return pendingClientRequests;
    }

    /** Its stream, if one is open. */
    Optional<GetStream> stream() {
        return Optional.ofNullable(stream.get());
    }

    /** The revision that was negotiated. */
    ProtocolVersion version() {
        return version;
    }

    /** The handshake on the session's own connection: sets the version and the client's capabilities. */
    void handshake(ProtocolVersion agreed, JsonNode declared) {
        version = agreed;
        capabilities = known(declared);
    }

    /** The connection of the session, or null if it uses separate requests with its id. */
    @Nullable
    StreamSession streamSession() {
        return streamSession;
    }

    void streamSession(StreamSession connection) {
        streamSession = connection;
    }

    /** Lowest level of wanted log messages, or null for none. */
    @Nullable
    LogLevel logLevel() {
        return logLevel;
    }

    void logLevel(LogLevel level) {
        unwritten.make(new SessionChange.Level(level), () -> logLevel = level);
    }

    /**
     * The session is shared with other nodes from now on.
     *
     * @param node this node
     * @param known the revision of the shared row
     */
    void share(String node, long known) {
        revision = known;
        pendingClientRequests.on(node);
        unwritten.begin();
    }

    /** The changes that are still to be made to the shared row. */
    UnwrittenChanges unwritten() {
        return unwritten;
    }

    /**
     * Takes over the level, subscriptions and values of the shared row, unless changes of this node are still to be written;
     * returns whether it did.
     */
    boolean refresh(@Nullable LogLevel level, Set<String> uris, Map<String, SessionValues> values) {
        return unwritten.unlessAny(() -> {
            logLevel = level;
            subscribed.retainAll(uris);
            subscribed.addAll(uris);
            kept.keySet().retainAll(values.keySet());
            kept.putAll(values);
        });
    }

    /** Whether another node has its stream. */
    boolean streamElsewhere() {
        return streamElsewhere;
    }

    /** The revision of the shared row that is known here. */
    long revision() {
        return revision;
    }

    /**
     * This node has changed the shared row, which has the revision {@code now}; returns whether no other node has changed it since
     * it was read here.
     */
    boolean written(long now) {
        boolean next = now == revision + 1;
        if (next) {
            revision = now;
        }
        return next;
    }

    /** The row says, since its revision {@code now}, that the stream {@code open} is on this node; returns what {@link #written} does. */
    boolean streamWritten(GetStream open, long now) {
        open.written();
        streamElsewhere = false;
        if (stream.get() == null) { // closed while the row was written
            lossListeners.forEach(Runnable::run);
        }
        return written(now);
    }

    /**
     * What the shared row says now. What another node has kept for the client is not known here, so the client may have missed
     * changes. A stream that another one has replaced ends. One that was elsewhere may have been lost with its node.
     */
    void seen(long now, boolean elsewhere) {
        GetStream open = stream.get();
        if (elsewhere || (now != revision && open == null)) {
            missedChanges.set(true);
        }
        boolean lost = streamElsewhere && !elsewhere && open == null;
        revision = now;
        streamElsewhere = elsewhere;
        if (elsewhere && open != null && open.isWritten()) {
            open.shutdown();
        }
        if (lost) {
            lossListeners.forEach(Runnable::run);
        }
    }

    @Override
    public SessionValues of(String backend) {
        return kept.getOrDefault(backend, SessionValues.NONE);
    }

    @Override
    public void keep(String backend, SessionValues values) {
        unwritten.make(
                new SessionChange.Values(backend, values), () -> kept.merge(backend, values, SessionValues::with));
    }

    /** The values kept for each backend. */
    Map<String, SessionValues> kept() {
        return Map.copyOf(kept);
    }

    /** A request has begun; {@code cancel} takes it back, on any thread. */
    void began(JsonNode requestId, Runnable cancel) {
        inFlight.put(requestId, cancel);
    }

    /** The request has ended. */
    void ended(JsonNode requestId, Runnable cancel) {
        inFlight.remove(requestId, cancel);
    }

    /** Takes the request back, if it is under way here; returns whether it is. */
    boolean cancel(JsonNode requestId) {
        Runnable cancel = inFlight.get(requestId);
        if (cancel != null) {
            cancel.run();
        }
        return cancel != null;
    }

    /** Takes back whatever is under way. */
    void cancelAll() {
        inFlight.values().forEach(Runnable::run);
    }

    /** Subscribes to a resource; returns whether there was room. */
    boolean subscribe(String uri) {
        if (subscribed.size() >= MOST_SUBSCRIPTIONS && !subscribed.contains(uri)) {
            return false;
        }
        unwritten.make(new SessionChange.Subscription(uri, true), () -> subscribed.add(uri));
        return true;
    }

    void unsubscribe(String uri) {
        unwritten.make(new SessionChange.Subscription(uri, false), () -> subscribed.remove(uri));
    }

    /** The client as one that watches, while no stream of it is open. */
    ResourceWatching.Watcher watcher(Principal principal, String view) {
        return new ResourceWatching.Watcher() {
            @Override
            public Principal principal() {
                return principal;
            }

            @Override
            public String view() {
                return view;
            }

            @Override
            public Set<String> watched() {
                return subscribed();
            }

            @Override
            public void updated(String backendId, Map<String, Set<String>> changed) {
                GetStream open = stream.get();
                if (open == null) {
                    keepUpdates(backendId, changed);
                } else {
                    open.updated(backendId, changed);
                }
            }
        };
    }

    /** Keeps changes of resources for the next stream. If there are too many, its client may have missed some. */
    void keepUpdates(String backendId, Map<String, Set<String>> changed) {
        synchronized (updates) {
            Map<String, Set<String>> kept = updates.computeIfAbsent(backendId, _ -> new HashMap<>());
            changed.forEach((shown, uris) -> {
                if (keptUpdates + uris.size() > MOST_UPDATES) {
                    missedChanges.set(true);
                } else {
                    keptUpdates += uris.size();
                    kept.computeIfAbsent(shown, _ -> new HashSet<>()).addAll(uris);
                }
            });
        }
    }

    /** Takes what {@link #keepUpdates} has kept, by backend. */
    Map<String, Map<String, Set<String>>> takeUpdates() {
        synchronized (updates) {
            Map<String, Map<String, Set<String>>> taken = Map.copyOf(updates);
            updates.clear();
            keptUpdates = 0;
            return taken;
        }
    }

    /** The subscribed resources. */
    Set<String> subscribed() {
        return Set.copyOf(subscribed);
    }

    /** Makes {@code standing} the session's stream, unless it has one. */
    boolean attach(GetStream standing) {
        return stream.compareAndSet(null, standing);
    }

    void detach(GetStream standing) {
        if (stream.compareAndSet(standing, null)) {
            lossListeners.forEach(Runnable::run);
        }
    }

    /** Whether its client can receive anything besides answers. */
    boolean canReceive() {
        return stream.get() != null || streamElsewhere;
    }

    /** Runs {@code listener} whenever {@link #canReceive} may have become false, on any thread. */
    void onLoss(Runnable listener) {
        lossListeners.add(listener);
    }

    /** Removes a listener of {@link #onLoss}. */
    void forgetLoss(Runnable listener) {
        lossListeners.remove(listener);
    }

    /** Ends the session with its stream; open questions fail. */
    void end() {
        pendingClientRequests.closeAll();
        replayBuffer.end();
        GetStream open = stream.get();
        if (open != null) {
            open.shutdown();
        }
    }
}
