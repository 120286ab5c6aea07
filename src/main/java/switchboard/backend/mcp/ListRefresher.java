package switchboard.backend.mcp;

import java.util.HashMap;
import java.util.Map;

/** Has each list read once at a time, however often a server says that it has changed. Thread-safe. */
final class ListRefresher {
    /** By what is read, whether it has changed again since its reading began. */
    private final Map<String, Boolean> underWay = new HashMap<>();

    /** Whether {@code what} is to be read now; otherwise whoever reads it hears of the change at the end. */
    synchronized boolean begin(String what) {
        return underWay.put(what, underWay.containsKey(what)) == null;
    }

    /** It has been read; whether it is to be read again. */
    synchronized boolean end(String what) {
        return Boolean.TRUE.equals(underWay.remove(what));
    }
}
