package switchboard.auth;

import io.vertx.core.Future;

/** Finds out who calls. Thread-safe; asked for every HTTP request, before its body is read. */
public interface Authenticator {
    /**
     * Checks {@code credentials}.
     *
     * @return never a failed future: what can't be checked is {@link AuthOutcome.Rejected}. Completes on the context that
     *     asked.
     */
    Future<AuthOutcome> authenticate(Credentials credentials);
}
