package switchboard.console;

import io.vertx.core.Future;
import switchboard.auth.OpenIdClient;
import switchboard.auth.OpenIdRequest;

/**
 * Sign-in at an issuer. Thread-safe.
 *
 * @param client the console as a client of the issuer
 * @param sessions where who has signed in gets a session
 */
public record OpenIdSignIn(OpenIdClient client, SignInSessions sessions) {
    /** The issuer's name. */
    public String name() {
        return client.name();
    }

    /** The address at the issuer that a person is sent to; fails if the issuer can't be reached. */
    public Future<String> begin(OpenIdRequest asked, String redirectUri) {
        return client.begin(asked, redirectUri);
    }

    /** Opens a session for who has come back with {@code code}; fails if the issuer does not accept it. */
    public Future<ConsoleSignIn.SignInOutcome> finish(OpenIdRequest asked, String code, String redirectUri) {
        return client.finish(asked, code, redirectUri, sessions.endOfNew())
                .compose(outcome -> KeySignIn.outcome(outcome, sessions));
    }
}
