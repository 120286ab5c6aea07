package switchboard.backend.mcp;

import java.util.HashMap;
import java.util.Map;

/** Reads each list once at a time, however often a server announces changes. Thread-safe. */
final class ListRefresher {
    /** The lists that are being read, each with whether it has changed again meanwhile. */
    private final Map<String, Boolean> underWay = new HashMap<>();

    /** Whether to read {@code what} now. Otherwise it is being read, and will be read again afterwards. */
    synchronized boolean begin(String what) {
        return underWay.put(what, underWay.containsKey(what)) == null;
    }

    /** Ends a reading; returns whether to read again. */
    synchronized boolean end(String what) {
        return Boolean.TRUE.equals(underWay.remove(what));
    }
}
