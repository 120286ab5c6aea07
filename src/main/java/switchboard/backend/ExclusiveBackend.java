package switchboard.backend;

import io.vertx.core.Future;

/**
 * A backend whose data belongs to one process at a time. {@link #start} fails with {@link NotOwnerException} while
 * that is another one, and may be tried again.
 */
public interface ExclusiveBackend extends Backend {
    /**
     * Stores beside the data the address at which this process accepts calls of other processes. It is a secret of
     * this user.
     */
    Future<Void> announce(String address);
}
