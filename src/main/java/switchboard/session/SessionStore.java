package switchboard.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The live sessions: expiry when idle, and a cap that is shared fairly. At the cap a newcomer takes the place of the least
 * recently used session of the team that has most, which is the newcomer's own team when it has as many; so no team can
 * push another below its share. Thread-safe.
 *
 * @param <S> what is remembered in a session
 */
public final class SessionStore<S> {
    /** 192 bits, 32 characters. */
    private static final int ID_BYTES = 24;

    private final SessionLimits limits;
    private final Ticker ticker;
    private final Cache<String, Session<S>> sessions;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong turns = new AtomicLong();
    private final Object creation = new Object();

    /**
     * An empty store.
     *
     * @param onEnd hears of every session that has ended, with its age; must not block
     */
    public SessionStore(SessionLimits limits, Ticker ticker, BiConsumer<Session<S>, Duration> onEnd) {
        this.limits = limits;
        this.ticker = ticker;
        this.sessions = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfter(new IdleTime<S>(limits.idleTtl()))
                .executor(Runnable::run)
                .removalListener((@Nullable String id, @Nullable Session<S> session, RemovalCause cause) -> {
                    if (session != null) {
                        onEnd.accept(session, Duration.ofNanos(ticker.read() - session.createdNanos()));
                    }
                })
                .build();
    }

    /** A new session of {@code owner}, who has been authenticated. */
    public Session<S> create(Owner owner, S state) {
        byte[] bits = new byte[ID_BYTES];
        random.nextBytes(bits);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
        Session<S> session = new Session<>(id, owner, state, ticker.read());
        session.used(turns.incrementAndGet());
        synchronized (creation) {
            if (live() >= limits.max()) {
                sessions.invalidate(leastEntitled(owner.team()).id());
            }
            sessions.put(id, session);
        }
        return session;
    }

    /** The session of that id, if it is alive and {@code owner}'s; using it keeps it alive. */
    public Optional<Session<S>> find(String id, Owner owner) {
        Session<S> session = sessions.policy().getIfPresentQuietly(id);
        if (session == null || !session.owner().equals(owner) || sessions.getIfPresent(id) == null) {
            return Optional.empty();
        }
        session.used(turns.incrementAndGet());
        return Optional.of(session);
    }

    /** Ends the session of that id, if it is alive and {@code owner}'s; returns whether it was. */
    public boolean end(String id, Owner owner) {
        return find(id, owner)
                .map(session -> sessions.asMap().remove(id, session))
                .orElse(false);
    }

    /** Ends the sessions of the owners that {@code whose} names. */
    public void endAll(Predicate<Owner> whose) {
        sessions.asMap().values().removeIf(session -> whose.test(session.owner()));
    }

    /** Keeps {@code session} from expiring, however idle, until {@link #release}; returns whether it is still alive. */
    public boolean hold(Session<S> session) {
        session.holds().incrementAndGet();
        return touch(session);
    }

    /** Undoes one {@link #hold}; the idle time starts anew; returns whether the session is still alive. */
    public boolean release(Session<S> session) {
        session.holds().decrementAndGet();
        return touch(session);
    }

    private boolean touch(Session<S> session) {
        return sessions.getIfPresent(session.id()) != null;
    }

    /** How many sessions are alive. */
    public int live() {
        // An iteration leaves out what has expired; the size of the cache counts it until it is removed.
        int count = 0;
        for (String _ : sessions.asMap().keySet()) {
            count++;
        }
        return count;
    }

    private Session<S> leastEntitled(String newcomer) {
        Map<String, List<Session<S>>> byTeam = new HashMap<>();
        sessions.asMap().values().forEach(session -> byTeam.computeIfAbsent(
                        session.owner().team(), _ -> new ArrayList<>())
                .add(session));
        int most = byTeam.values().stream().mapToInt(List::size).max().orElse(0);
        List<Session<S>> own = byTeam.getOrDefault(newcomer, List.of());
        return (own.size() == most
                        ? own.stream()
                        : byTeam.values().stream()
                                .filter(team -> team.size() == most)
                                .flatMap(Collection::stream))
                .min(Comparator.comparingLong(Session::lastUse))
                .orElseThrow();
    }

    /** How long an entry may still stay, counted from its creation or its last use. */
    private static final class IdleTime<S> implements Expiry<String, Session<S>> {
        private final long nanos;

        IdleTime(Duration ttl) {
            this.nanos = ttl.toNanos();
        }

        @Override
        public long expireAfterCreate(String id, Session<S> session, long now) {
            return nanos;
        }

        @Override
        public long expireAfterUpdate(String id, Session<S> session, long now, long remaining) {
            return nanos;
        }

        @Override
        public long expireAfterRead(String id, Session<S> session, long now, long remaining) {
            return session.holds().get() > 0 ? Long.MAX_VALUE : nanos;
        }
    }
}
