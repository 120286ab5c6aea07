package switchboard.http;

import io.vertx.core.Future;

/** Switches backends off and on while the gateway runs. Thread-safe; does not block. */
public interface BackendAdmin {
    /** Whether a backend was switched. */
    enum Switching {
        /** It is switched, on all gateways if there are several. */
        MADE,
        /** There is no such backend. */
        NO_SUCH_BACKEND,
        /** It could not be told to all gateways, so it may not have been made. */
        UNAVAILABLE
    }

    /**
     * Switches a backend off. Later calls are refused. Never fails.
     *
     * @param reason shown to callers; may be empty
     */
    Future<Switching> off(String id, String reason);

    /** Switches a backend on; does nothing if it is on. Never fails. */
    Future<Switching> on(String id);
}
