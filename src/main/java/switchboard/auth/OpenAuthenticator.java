package switchboard.auth;

import io.vertx.core.Future;

/** {@code auth.mode: none}: every caller is the anonymous principal, whatever credentials it sends. */
public final class OpenAuthenticator implements Authenticator {
    private static final Future<AuthOutcome> ANONYMOUS =
            Future.succeededFuture(new AuthOutcome.Authenticated(Principal.anonymous()));

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        return ANONYMOUS;
    }
}
