package switchboard.http;

/** Switches backends off and on while the gateway runs. Thread-safe; answers at once. */
public interface BackendAdmin {
    /**
     * Switches a backend off: calls that come later are answered that it is.
     *
     * @param reason told to callers; may be empty
     * @return whether there is a backend {@code id}
     */
    boolean off(String id, String reason);

    /**
     * Switches a backend on, whether it was off or not.
     *
     * @return whether there is a backend {@code id}
     */
    boolean on(String id);
}
