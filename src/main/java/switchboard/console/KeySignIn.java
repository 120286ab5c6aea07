package switchboard.console;

import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Credentials;
import switchboard.auth.Principal;

/**
 * Sign-in by API key, and at an issuer if there is one. A key is sent once; then a session stands for it. Thread-safe.
 *
 * @param authenticator checks keys
 * @param sessions those of all who have signed in
 * @param openId how one signs in at an issuer
 */
public record KeySignIn(Authenticator authenticator, SignInSessions sessions, Optional<OpenIdSignIn> openId)
        implements ConsoleSignIn {
    @Override
    public String mode() {
        return "keys";
    }

    @Override
    public Future<Optional<SignedIn>> signedIn(@Nullable String token) {
        return sessions.find(token);
    }

    @Override
    public SessionWatch watch(@Nullable String token, SignedIn person) {
        return sessions.watch(token, person);
    }

    @Override
    public Future<SignInOutcome> signIn(String key, String address) {
        return authenticator
                .authenticate(new Credentials(address, "", null, key))
                .compose(outcome -> outcome(outcome, sessions));
    }

    /** A session for who was authenticated. */
    static Future<SignInOutcome> outcome(AuthOutcome authOutcome, SignInSessions sessions) {
        return switch (authOutcome) {
            case AuthOutcome.Rejected refused -> Future.succeededFuture(new SignInOutcome.NotSignedIn(refused));
            case AuthOutcome.Authenticated(Principal principal) -> sessions.open(principal);
        };
    }

    @Override
    public Future<Void> signOut(String token) {
        return sessions.end(token);
    }
}
