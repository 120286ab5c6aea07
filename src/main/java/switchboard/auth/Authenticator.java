package switchboard.auth;

import io.vertx.core.Future;

/** Authenticates callers. Thread-safe. It is called for every HTTP request before the body is read. */
public interface Authenticator {
    /**
     * Checks {@code credentials}.
     *
     * @return never fails: credentials that can't be checked are {@link AuthOutcome.Rejected}. Completes on the
     *     calling context.
     */
    Future<AuthOutcome> authenticate(Credentials credentials);
}
