package switchboard.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.auth.SessionId;

/**
 * Sessions of people who have signed in. One ends after {@link #LONGEST}, after {@link #IDLE} without use, and as soon as
 * the key is no longer valid. Only digests of session tokens are kept, in memory: a restart signs everybody out.
 * Thread-safe.
 */
public final class ConsoleSessions implements SignInSessions {
    /** How long a session lasts at most. */
    public static final Duration LONGEST = Duration.ofHours(8);

    /** How long a session lasts without use. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    /** How many sessions there are at most. */
    public static final int MOST_SESSIONS = 10_000;

    /** How many sessions one key may have; the oldest one goes first. */
    public static final int MOST_OF_A_KEY = 20;

    private final Function<Principal, Optional<Principal>> current;
    private final Clock clock;
    private final Ticker ticker;
    private final Cache<String, Session> sessions;

    private record Session(Principal signedIn, long endNanos) {}

    /**
     * Without sessions yet.
     *
     * @param current what somebody who has signed in may do now; empty if the key is no longer valid
     * @param clock says when sessions end, for people
     * @param ticker measures how long they last
     */
    public ConsoleSessions(Function<Principal, Optional<Principal>> current, Clock clock, Ticker ticker) {
        this.current = current;
        this.clock = clock;
        this.ticker = ticker;
        this.sessions = Caffeine.newBuilder()
                .maximumSize(MOST_SESSIONS)
                .expireAfter(Expiry.<String, Session>accessing(
                        (_, session) -> Duration.ofNanos(Math.min(IDLE.toNanos(), session.endNanos() - ticker.read()))))
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Future<Optional<ConsoleSignIn.SignedIn>> find(@Nullable String token) {
        return Future.succeededFuture(
                token == null
                        ? Optional.empty()
                        : Optional.ofNullable(sessions.getIfPresent(SessionId.key(token)))
                                .flatMap(session ->
                                        current.apply(session.signedIn()).map(person -> shown(session, person))));
    }

    @Override
    public SessionWatch watch(@Nullable String token, ConsoleSignIn.SignedIn person) {
        return new SessionWatch(() -> find(token), current, person, Duration.ZERO, ticker);
    }

    @Override
    public Future<Void> end(String token) {
        sessions.invalidate(SessionId.key(token));
        return Future.succeededFuture();
    }

    @Override
    public Instant endOfNew() {
        return clock.instant().plus(LONGEST);
    }

    @Override
    public Future<ConsoleSignIn.SignInOutcome> open(Principal principal) {
        String token = SessionId.make();
        makeRoom(principal.identity());
        Session session = new Session(principal, ticker.read() + LONGEST.toNanos());
        sessions.put(SessionId.key(token), session);
        return Future.succeededFuture(new ConsoleSignIn.SignInOutcome.Opened(token, shown(session, principal)));
    }

    /** So that nobody signs others out by signing in again and again. */
    private void makeRoom(PrincipalId holder) {
        List<Map.Entry<String, Session>> own = sessions.asMap().entrySet().stream()
                .filter(entry -> entry.getValue().signedIn().identity().equals(holder))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().endNanos()))
                .toList();
        if (own.size() >= MOST_OF_A_KEY) {
            sessions.invalidate(own.getFirst().getKey());
        }
    }

    private ConsoleSignIn.SignedIn shown(Session session, Principal holder) {
        return new ConsoleSignIn.SignedIn(holder, clock.instant().plusNanos(session.endNanos() - ticker.read()));
    }
}
