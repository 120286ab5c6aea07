package switchboard.auth;

import io.vertx.core.Future;

/** {@code auth.mode: none}: everybody is the anonymous caller, whatever they show. */
public final class OpenAuthenticator implements Authenticator {
    private static final Future<AuthOutcome> ANONYMOUS =
            Future.succeededFuture(new AuthOutcome.Authenticated(Principal.anonymous()));

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        return ANONYMOUS;
    }
}
