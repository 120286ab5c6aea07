package switchboard.backend;

import io.vertx.core.Future;

/**
 * A backend whose data belongs to one process at a time. {@link #start} fails with {@link NotOwnerException} while
 * that is another one, and may be tried again.
 */
public interface ExclusiveBackend extends Backend {
    /** Keeps beside the data where this process, which owns it, takes calls of others; a secret of this user. */
    Future<Void> announce(String address);
}
