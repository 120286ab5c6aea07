package switchboard.http;

/** Switches backends off and on while the gateway runs. Thread-safe; does not block. */
public interface BackendAdmin {
    /**
     * Switches a backend off. Later calls are refused.
     *
     * @param reason shown to callers; may be empty
     * @return whether there is a backend {@code id}
     */
    boolean off(String id, String reason);

    /**
     * Switches a backend on; does nothing if it is on.
     *
     * @return whether there is a backend {@code id}
     */
    boolean on(String id);
}
