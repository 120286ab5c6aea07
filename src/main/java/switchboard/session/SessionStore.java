package switchboard.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.SessionId;

/**
 * The open sessions. Idle sessions expire, and their number is limited. At the limit a new session replaces the least
 * recently used one of the team that has most sessions (the new session's own team, if it has as many), so no team can
 * push another below its fair share. A session with a call under way neither expires nor is replaced. A session with
 * an open stream does not expire, and is replaced after those without. Thread-safe.
 *
 * @param <S> the type of a session's state
 */
public final class SessionStore<S> {
    private final SessionLimits limits;
    private final Ticker ticker;
    private final Cache<String, Session<S>> sessions;
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong evicted = new AtomicLong();
    private final Object creation = new Object();

    /**
     * An empty store.
     *
     * @param onEnd called for every session that has ended, with its age; must not block
     */
    public SessionStore(SessionLimits limits, Ticker ticker, BiConsumer<Session<S>, Duration> onEnd) {
        this.limits = limits;
        this.ticker = ticker;
        this.sessions = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfter(new IdleTime<S>(limits.idleTtl()))
                .executor(Runnable::run)
                .removalListener((@Nullable String key, @Nullable Session<S> session, RemovalCause cause) -> {
                    if (session != null) {
                        onEnd.accept(session, Duration.ofNanos(ticker.read() - session.createdNanos()));
                    }
                })
                .build();
    }

    /**
     * Creates a session of {@code owner}, who has been authenticated. Empty if the limit is reached and none can be
     * replaced.
     */
    public Optional<NewSession<S>> create(SessionOwner owner, S state) {
        NewSession<S> made = prepare(owner, state);
        synchronized (creation) {
            if (live() >= limits.max() && !makeRoom(owner.team())) {
                return Optional.empty();
            }
            admit(made);
        }
        return Optional.of(made);
    }

    /** A session that is in no store yet. */
    public NewSession<S> prepare(SessionOwner owner, S state) {
        String id = SessionId.make();
        Session<S> session = new Session<>(SessionId.key(id), owner, state, ticker.read());
        session.used(turns.incrementAndGet());
        return new NewSession<>(id, session);
    }

    /** Adds a session of {@link #prepare} for which there is room, as somebody else has decided. */
    public void admit(NewSession<S> made) {
        sessions.put(made.session().key(), made.session());
    }

    /** Adds a session of another store for which there is room, unless it is here already. */
    public void adopt(SavedSession<S> saved) {
        synchronized (creation) {
            if (kept(saved.key()).isEmpty()) {
                restore(saved);
            }
        }
    }

    /** Whether {@code id} could be the id of a session. */
    public static boolean possible(String id) {
        return SessionId.possible(id);
    }

    /** The key under which the session of that id is kept. */
    public static String key(String id) {
        return SessionId.key(id);
    }

    /** The session of that key, whoever owns it. This does not count as using it. */
    public Optional<Session<S>> kept(String key) {
        return Optional.ofNullable(sessions.policy().getIfPresentQuietly(key));
    }

    /** Ends the session of that key, so that another one can replace it. False if it is here and has a call under way. */
    public boolean giveUp(String key) {
        return kept(key).map(this::replace).orElse(true);
    }

    private boolean replace(Session<S> session) {
        boolean gone = session.giveUp();
        if (gone) {
            sessions.invalidate(session.key());
            evicted.incrementAndGet();
        }
        return gone;
    }

    /** The uses of the open sessions, in no particular order. */
    public List<SessionUse> uses() {
        long now = ticker.read();
        List<SessionUse> uses = new ArrayList<>();
        sessions.asMap()
                .values()
                .forEach(session -> uses.add(new SessionUse(
                        session.key(),
                        session.busy() ? Duration.ZERO : Duration.ofNanos(now - session.usedAt()),
                        session.calls(),
                        session.holds().get() > 0)));
        return uses;
    }

    /** The open sessions, in no particular order. This does not count as using them. */
    public List<SavedSession<S>> save() {
        long now = ticker.read();
        List<SavedSession<S>> saved = new ArrayList<>();
        sessions.asMap().values().forEach(session -> {
            Duration remaining = session.busy() ? limits.idleTtl() : remaining(session);
            if (remaining.isPositive()) {
                saved.add(new SavedSession<>(
                        session.key(),
                        session.owner(),
                        session.state(),
                        Duration.ofNanos(now - session.createdNanos()),
                        remaining));
            }
        });
        return saved;
    }

    private Duration remaining(Session<S> session) {
        return sessions.policy()
                .expireVariably()
                .flatMap(expiry -> expiry.getExpiresAfter(session.key()))
                .orElse(Duration.ZERO);
    }

    /**
     * Adds sessions that another store has saved, as if they had been used in the order in which they expire. If there
     * are more than there is room for, those that expire last are taken.
     */
    public void restore(List<SavedSession<S>> all) {
        List<SavedSession<S>> latest = all.stream()
                .sorted(Comparator.comparing(SavedSession::remaining))
                .toList();
        synchronized (creation) {
            int room = Math.max(0, limits.max() - live());
            latest.subList(Math.max(0, latest.size() - room), latest.size()).forEach(this::restore);
        }
    }

    private void restore(SavedSession<S> saved) {
        Session<S> session = new Session<>(
                saved.key(),
                saved.owner(),
                saved.state(),
                ticker.read() - saved.age().toNanos());
        session.used(turns.incrementAndGet());
        Duration remaining = saved.remaining().compareTo(limits.idleTtl()) < 0 ? saved.remaining() : limits.idleTtl();
        sessions.policy().expireVariably().ifPresent(expiry -> {
            var _ = expiry.put(saved.key(), session, remaining);
        });
    }

    /** The session of that id, if it is open and belongs to {@code owner}. This counts as using it. */
    public Optional<Session<S>> find(String id, SessionOwner owner) {
        String key = SessionId.key(id);
        Session<S> session = sessions.policy().getIfPresentQuietly(key);
        if (session == null || !session.owner().equals(owner) || sessions.getIfPresent(key) == null) {
            return Optional.empty();
        }
        session.used(turns.incrementAndGet());
        session.usedAt(ticker.read());
        return Optional.of(session);
    }

    /** Ends a session; returns whether it was open. */
    public boolean end(Session<S> session) {
        return sessions.asMap().remove(session.key(), session);
    }

    /** Ends the sessions of all owners that match. */
    public void endAll(Predicate<SessionOwner> whose) {
        sessions.asMap().values().removeIf(session -> whose.test(session.owner()));
    }

    /** Starts a call in {@code session}, until {@link #callOver}. Returns false if the session has ended. */
    public boolean callBegun(Session<S> session) {
        if (!session.callBegun()) {
            return false;
        }
        if (touch(session)) {
            return true;
        }
        session.callOver();
        return false;
    }

    /** Ends a call of {@link #callBegun}. The idle time starts again. */
    public void callOver(Session<S> session) {
        session.callOver();
        touch(session);
    }

    /** Prevents {@code session} from expiring until {@link #release}. Returns whether it is still open. */
    public boolean hold(Session<S> session) {
        session.holds().incrementAndGet();
        return touch(session);
    }

    /** Undoes one {@link #hold}. The idle time starts again. Returns whether the session is still open. */
    public boolean release(Session<S> session) {
        session.holds().decrementAndGet();
        return touch(session);
    }

    private boolean touch(Session<S> session) {
        session.usedAt(ticker.read());
        return sessions.getIfPresent(session.key()) != null;
    }

    /** The number of sessions that were replaced so far. */
    public long evicted() {
        return evicted.get();
    }

    /** The number of open sessions. */
    public int live() {
        // Iterating skips expired entries; the size of the cache includes them until they are removed.
        int count = 0;
        for (String _ : sessions.asMap().keySet()) {
            count++;
        }
        return count;
    }

    /** Ends the session that must be replaced for the team {@code newcomer}; returns whether there is one. */
    private boolean makeRoom(String newcomer) {
        Map<String, List<Session<S>>> byTeam = new HashMap<>();
        sessions.asMap().values().forEach(session -> byTeam.computeIfAbsent(
                        session.owner().team(), _ -> new ArrayList<>())
                .add(session));
        int own = byTeam.getOrDefault(newcomer, List.of()).size();
        return byTeam.entrySet().stream()
                .filter(team ->
                        team.getKey().equals(newcomer) || team.getValue().size() > own)
                .flatMap(team -> team.getValue().stream()
                        .map(session -> Replaceable.of(session, team.getValue().size())))
                .sorted(Replaceable.IN_TURN)
                .anyMatch(replaceable -> replace(replaceable.session()));
    }

    /**
     * A session that may be replaced, as it was when it was looked at: others go on using it while these are sorted.
     *
     * @param session the session
     * @param ofTeam how many its team has: those of the largest team are first
     * @param streams whether a stream is open: such a session is last of its team
     * @param lastUse the least recently used is first
     */
    private record Replaceable<S>(Session<S> session, int ofTeam, boolean streams, long lastUse) {
        static final Comparator<Replaceable<?>> IN_TURN = Comparator.<Replaceable<?>>comparingInt(
                        replaceable -> -replaceable.ofTeam())
                .thenComparing(Replaceable::streams)
                .thenComparingLong(Replaceable::lastUse);

        static <S> Replaceable<S> of(Session<S> session, int ofTeam) {
            return new Replaceable<>(session, ofTeam, session.holds().get() > 0, session.lastUse());
        }
    }

    /** How long an entry may still stay, from its creation or its last use. */
    private static final class IdleTime<S> implements Expiry<String, Session<S>> {
        private final long nanos;

        IdleTime(Duration ttl) {
            this.nanos = ttl.toNanos();
        }

        @Override
        public long expireAfterCreate(String key, Session<S> session, long now) {
            return nanos;
        }

        @Override
        public long expireAfterUpdate(String key, Session<S> session, long now, long remaining) {
            return nanos;
        }

        @Override
        public long expireAfterRead(String key, Session<S> session, long now, long remaining) {
            return session.busy() ? Long.MAX_VALUE : nanos;
        }
    }
}
