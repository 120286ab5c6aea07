package switchboard.console;

import io.vertx.core.Future;
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
    public Optional<SignedIn> signedIn(@Nullable String token) {
        return Optional.of(EVERYBODY);
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
    public void signOut(String token) {
        // There are no sessions.
    }
}
