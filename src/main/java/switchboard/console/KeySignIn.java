package switchboard.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Credentials;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.auth.SessionId;

/**
 * Sign-in by API key. A key is sent once; then a session stands for it, which ends after {@link #LONGEST}, after {@link
 * #IDLE} without use, and as soon as the key is no longer valid. Only digests of session tokens are kept, in memory: a
 * restart signs everybody out.
 */
public final class KeySignIn implements ConsoleSignIn {
    /** How long a session lasts at most. */
    public static final Duration LONGEST = Duration.ofHours(8);

    /** How long a session lasts without use. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    private static final int MOST_SESSIONS = 10_000;

    /** How many sessions one key may have; the oldest one goes first. */
    private static final int MOST_OF_A_KEY = 20;

    private final Authenticator authenticator;
    private final Function<PrincipalId, Optional<Principal>> current;
    private final Clock clock;
    private final Ticker ticker;
    private final Cache<String, Session> sessions;

    private record Session(PrincipalId holder, long endNanos) {}

    /**
     * Without sessions yet.
     *
     * @param authenticator checks keys
     * @param current what the holder of a key may do now; empty if the key is no longer valid
     * @param clock says when sessions end, for people
     * @param ticker measures how long they last
     */
    public KeySignIn(
            Authenticator authenticator,
            Function<PrincipalId, Optional<Principal>> current,
            Clock clock,
            Ticker ticker) {
        this.authenticator = authenticator;
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
    public String mode() {
        return "keys";
    }

    @Override
    public Optional<SignedIn> signedIn(@Nullable String token) {
        return token == null
                ? Optional.empty()
                : Optional.ofNullable(sessions.getIfPresent(SessionId.key(token)))
                        .flatMap(session -> current.apply(session.holder()).map(holder -> shown(session, holder)));
    }

    @Override
    public Future<SignInOutcome> signIn(String key, String address) {
        return authenticator
                .authenticate(new Credentials(address, "", null, key))
                .map(outcome -> switch (outcome) {
                    case AuthOutcome.Rejected refused -> new SignInOutcome.KeyRefused(refused);
                    case AuthOutcome.Authenticated(Principal principal) -> opened(principal);
                });
    }

    @Override
    public void signOut(String token) {
        sessions.invalidate(SessionId.key(token));
    }

    private SignInOutcome opened(Principal principal) {
        String token = SessionId.make();
        makeRoom(principal.identity());
        Session session = new Session(principal.identity(), ticker.read() + LONGEST.toNanos());
        sessions.put(SessionId.key(token), session);
        return new SignInOutcome.Opened(token, shown(session, principal));
    }

    /** So that nobody signs others out by signing in again and again. */
    private void makeRoom(PrincipalId holder) {
        List<Map.Entry<String, Session>> own = sessions.asMap().entrySet().stream()
                .filter(entry -> entry.getValue().holder().equals(holder))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().endNanos()))
                .toList();
        if (own.size() >= MOST_OF_A_KEY) {
            sessions.invalidate(own.getFirst().getKey());
        }
    }

    private SignedIn shown(Session session, Principal holder) {
        return new SignedIn(holder, clock.instant().plusNanos(session.endNanos() - ticker.read()));
    }
}
