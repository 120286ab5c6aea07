package switchboard.app;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import switchboard.async.Futures;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.config.GatewayConfig.ConsoleUse;

/** When each key was used last, since the start of the gateway. Thread-safe. */
final class LastUses {
    private static final int MOST_KEYS = 100_000;

    private final Clock clock;
    private final Instant since;
    private final Cache<PrincipalId, Instant> last =
            Caffeine.newBuilder().maximumSize(MOST_KEYS).executor(Runnable::run).build();

    LastUses(Clock clock) {
        this.clock = clock;
        this.since = clock.instant();
    }

    /** Since when uses are known. */
    Instant since() {
        return since;
    }

    Instant now() {
        return clock.instant();
    }

    /** The same authenticator; each key that it accepts is used then. Without a console nobody looks at that. */
    Authenticator watching(Authenticator authenticator, ConsoleUse console) {
        return console == ConsoleUse.OFF
                ? authenticator
                : credentials -> authenticator.authenticate(credentials).map(Futures.also(outcome -> {
                    if (outcome instanceof AuthOutcome.Authenticated(Principal principal)) {
                        used(principal);
                    }
                }));
    }

    /** The key of {@code principal} is used now; a caller without one has none. */
    void used(Principal principal) {
        if (principal.proof() != null) {
            last.put(principal.identity(), clock.instant());
        }
    }

    /** When {@code key} was used last. */
    Optional<Instant> of(PrincipalId key) {
        return Optional.ofNullable(last.getIfPresent(key));
    }
}
