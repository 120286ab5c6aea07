package switchboard.console;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/** {@code auth.mode: none}: everybody on this machine may use the console, and do everything. */
public final class OpenSignIn implements ConsoleSignIn {
    private static final SignedIn EVERYBODY = new SignedIn(Principal.anonymous(), null);

    @Override
    public String mode() {
        return "none";
    }

    @Override
    public Future<Optional<SignedIn>> signedIn(@Nullable String token) {
        return Future.succeededFuture(Optional.of(EVERYBODY));
    }

    @Override
    public SessionWatch watch(@Nullable String token, SignedIn person) {
        return new SessionWatch(() -> signedIn(token), Optional::of, person, Duration.ZERO, Ticker.systemTicker());
    }

    @Override
    public Future<SignInOutcome> signIn(String key, String address) {
        return Future.succeededFuture(new SignInOutcome.Opened("", EVERYBODY));
    }

    @Override
    public Optional<OpenIdSignIn> openId() {
        return Optional.empty();
    }

    @Override
    public Future<Void> signOut(String token) {
        return Future.succeededFuture(); // there are no sessions
    }
}
