package switchboard.app;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.auth.SessionId;
import switchboard.auth.TokenGrant;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.ConsoleSessionRow;
import switchboard.cluster.ConsoleSessionTable;
import switchboard.console.ConsoleSessions;
import switchboard.console.ConsoleSignIn;
import switchboard.console.SessionWatch;
import switchboard.console.SignInSessions;
import switchboard.console.SignInUnavailableException;

/**
 * Sessions of the console that gateways share, with the limits of {@link ConsoleSessions}. The table says who has signed in; what
 * the person may do is looked up on this gateway.
 *
 * @param grants what issuers have said, as the table has it
 * @param rows what was found by the last requests; it holds for {@link SessionWatch#HOLDS} while the database is away
 * @param joined whether this gateway knows which keys are revoked; nobody is found before
 * @param current what somebody who has signed in may do now; empty if the key is no longer valid
 */
record SharedSignIns(
        ConsoleSessionTable table,
        SavedGrant grants,
        Cache<String, ConsoleSessionRow> rows,
        BooleanSupplier joined,
        Function<Principal, Optional<Principal>> current,
        Clock clock)
        implements SignInSessions {
    /** How soon a stream ends when its session has ended on another gateway. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private static final ConsoleSessionTable.ConsoleSessionLimits LIMITS = new ConsoleSessionTable.ConsoleSessionLimits(
            ConsoleSessions.LONGEST,
            ConsoleSessions.IDLE,
            ConsoleSessions.MOST_OF_A_KEY,
            ConsoleSessions.MOST_SESSIONS);

    /** Sessions of {@code table}, none of which has been used on this gateway. */
    static SharedSignIns of(
            ConsoleSessionTable table,
            SavedGrant grants,
            BooleanSupplier joined,
            Function<Principal, Optional<Principal>> current,
            Clock clock) {
        Cache<String, ConsoleSessionRow> rows = Caffeine.newBuilder()
                .maximumSize(ConsoleSessions.MOST_SESSIONS)
                .expireAfterWrite(SessionWatch.HOLDS)
                .executor(Runnable::run)
                .build();
        return new SharedSignIns(table, grants, rows, joined, current, clock);
    }

    @Override
    public Future<Optional<ConsoleSignIn.SignedIn>> find(@Nullable String token) {
        if (token == null || !SessionId.possible(token)) {
            return Future.succeededFuture(Optional.empty());
        }
        String key = SessionId.key(token);
        return look(key)
                .recover(failure -> {
                    ConsoleSessionRow held =
                            failure instanceof SignInUnavailableException ? rows.getIfPresent(key) : null;
                    return held == null ? Future.failedFuture(failure) : Future.succeededFuture(Optional.of(held));
                })
                .map(found -> found.flatMap(this::shown));
    }

    /** What the table has. */
    private Future<Optional<ConsoleSessionRow>> look(String key) {
        return told(() -> table.find(key))
                .map(Futures.also(
                        found -> found.ifPresentOrElse(row -> rows.put(key, row), () -> rows.invalidate(key))));
    }

    private Optional<ConsoleSignIn.SignedIn> shown(ConsoleSessionRow row) {
        PrincipalId owner = row.owner();
        Principal bare =
                new Principal(owner.team(), owner.id(), List.of(), Map.of(), null, null, owner.proof(), Map.of());
        Optional<Principal> signedIn = row.grant() == null
                ? Optional.of(bare)
                : grants.read(row.grant(), row.ends()).map(bare::by);
        return signedIn.flatMap(current).map(person -> new ConsoleSignIn.SignedIn(person, row.ends()));
    }

    @Override
    public SessionWatch watch(@Nullable String token, ConsoleSignIn.SignedIn person) {
        return new SessionWatch(
                () -> token == null || !SessionId.possible(token)
                        ? Future.succeededFuture(Optional.empty())
                        : look(SessionId.key(token)).map(found -> found.flatMap(this::shown)),
                current,
                person,
                BETWEEN_LOOKS,
                Ticker.systemTicker());
    }

    @Override
    public Instant endOfNew() {
        return clock.instant().plus(ConsoleSessions.LONGEST);
    }

    @Override
    public Future<ConsoleSignIn.SignInOutcome> open(Principal principal) {
        String token = SessionId.make();
        TokenGrant grant = principal.delegation();
        return told(() -> table.open(
                        SessionId.key(token), principal.identity(), grant == null ? null : grants.text(grant), LIMITS))
                .map(ends ->
                        new ConsoleSignIn.SignInOutcome.Opened(token, new ConsoleSignIn.SignedIn(principal, ends)));
    }

    @Override
    public Future<Void> end(String token) {
        if (!SessionId.possible(token)) {
            return Future.succeededFuture();
        }
        String key = SessionId.key(token);
        return told(() -> table.end(key)).map(Futures.also(_ -> rows.invalidate(key)));
    }

    private <T> Future<T> told(Supplier<Future<T>> work) {
        return joined.getAsBoolean()
                ? Futures.here(work.get()
                        .recover(failure -> Future.failedFuture(
                                failure instanceof ClusterUnavailableException
                                        ? new SignInUnavailableException(failure)
                                        : failure)))
                : Future.failedFuture(new SignInUnavailableException(null));
    }
}
