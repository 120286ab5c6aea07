package switchboard.backend.agentroot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Search sessions, in memory: their queries, seen results, and values. Each belongs to an owner, which every call must
 * name. A session ends when it was not used for its time to live. At the limit, an owner's least recently used session
 * is replaced, then that of the owner with most. Thread-safe.
 */
final class Sessions {
    /** How many searches a session remembers. */
    static final int MAX_QUERIES = 100;

    /** How many results. */
    static final int MAX_SEEN = 20_000;

    /** How many values. */
    static final int MAX_KEYS = 100;

    /** How long an expired session is distinguished from one that never existed. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Clock clock;
    private final int max;
    private final Map<String, SearchSession> sessions = new HashMap<>();

    Sessions(Clock clock, int max) {
        this.clock = clock;
        this.max = max;
    }

    /** One search of a session. */
    record PastSearch(String query, int results, Instant at) {}

    /** The current state of a session. */
    record SessionView(
            String id,
            Instant created,
            Instant lastActive,
            Duration ttl,
            Map<String, String> context,
            List<PastSearch> queries,
            int seen) {
        Instant expires() {
            return lastActive.plus(ttl);
        }
    }

    private static final class SearchSession {
        private final String id = UUID.randomUUID().toString();
        private final String owner;
        private final Duration ttl;
        private final Instant created;
        private final Map<String, String> context = new TreeMap<>();
        private final Deque<PastSearch> queries = new ArrayDeque<>();
        private final Set<String> seen = new LinkedHashSet<>();
        private Instant used;

        SearchSession(String owner, Duration ttl, Instant now) {
            this.owner = owner;
            this.ttl = ttl;
            this.created = now;
            this.used = now;
        }

        SessionView view() {
            return new SessionView(id, created, used, ttl, Map.copyOf(context), List.copyOf(queries), seen.size());
        }
    }

    /** Starts a session. */
    synchronized SessionView start(String owner, Duration ttl) {
        Instant now = clock.instant();
        sessions.values()
                .removeIf(session ->
                        session.used.plus(session.ttl).plus(REMEMBERED).isBefore(now));
        if (of(owner).size() >= Math.max(1, max / 10)) {
            drop(of(owner));
        }
        if (sessions.size() >= max) {
            drop(sessions.values().stream().collect(Collectors.groupingBy(session -> session.owner)).values().stream()
                    .max(Comparator.comparingInt(List::size))
                    .orElseThrow());
        }
        SearchSession session = new SearchSession(owner, ttl, now);
        sessions.put(session.id, session);
        return session.view();
    }

    private List<SearchSession> of(String owner) {
        return sessions.values().stream()
                .filter(session -> session.owner.equals(owner))
                .toList();
    }

    private void drop(List<SearchSession> candidates) {
        candidates.stream()
                .min(Comparator.comparing(session -> session.used))
                .ifPresent(session -> sessions.remove(session.id));
    }

    /** There is no such session. */
    static ToolException notFound(String id) {
        return new ToolException(FailureKind.NOT_FOUND, "Session not found: " + id + ". Start one with session_start.");
    }

    /** It was not used for its time to live. */
    static ToolException expired(String id) {
        return new ToolException(
                FailureKind.NOT_FOUND, "Session expired: " + id + ". Start a new one with session_start.");
    }

    /** It has as many values as it may have. */
    static ToolException tooManyKeys() {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT, "A session keeps at most " + MAX_KEYS + " keys; set one again.");
    }

    private SearchSession use(String id, String owner) {
        SearchSession session = sessions.get(id);
        Instant now = clock.instant();
        if (session == null || !session.owner.equals(owner)) {
            throw notFound(id);
        }
        if (!now.isBefore(session.used.plus(session.ttl))) {
            throw expired(id);
        }
        session.used = now;
        return session;
    }

    /** The session; using it keeps it alive. */
    synchronized SessionView get(String id, String owner) {
        return use(id, owner).view();
    }

    /** Remembers a value. */
    synchronized SessionView set(String id, String owner, String key, String value) {
        SearchSession session = use(id, owner);
        if (session.context.size() >= MAX_KEYS && !session.context.containsKey(key)) {
            throw tooManyKeys();
        }
        session.context.put(key, value);
        return session.view();
    }

    /** Ends a session; false if the owner has no such session. */
    synchronized boolean end(String id, String owner) {
        SearchSession session = sessions.get(id);
        return session != null && session.owner.equals(owner) && sessions.remove(id, session);
    }

    /** Those of {@code keys} that the session has seen; fails like {@link #get}. */
    synchronized Set<String> seen(String id, String owner, Collection<String> keys) {
        SearchSession session = use(id, owner);
        return keys.stream().filter(session.seen::contains).collect(Collectors.toSet());
    }

    /** Records a search with the keys of the first results. */
    synchronized void searched(String id, String owner, PastSearch asked, List<String> shown) {
        // It may have ended while the search ran.
        SearchSession session = Optional.ofNullable(sessions.get(id))
                .filter(found -> found.owner.equals(owner))
                .orElse(null);
        if (session == null) {
            return;
        }
        session.queries.addLast(asked);
        if (session.queries.size() > MAX_QUERIES) {
            session.queries.removeFirst();
        }
        session.seen.addAll(shown);
        List<String> oldestFirst = new ArrayList<>(session.seen);
        for (int i = 0; i < oldestFirst.size() - MAX_SEEN; i++) {
            session.seen.remove(oldestFirst.get(i));
        }
    }
}
