package switchboard.cluster;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest timelines of PostgreSQL servers that were seen. An old primary that comes back after a promotion is on an older one than
 * the new primary, and lacks what was written there. Thread-safe.
 */
final class Timelines {
    private static final int DIGITS = 8;
    private static final int HEX = 16;

    private final Map<Long, Long> newest = new ConcurrentHashMap<>();

    /**
     * What a server continues.
     *
     * @param system the data that it and its standbys have
     * @param number of the timeline; 0 if the server does not tell it
     */
    record Timeline(long system, long number) {
        /** That of a server that does not tell it. */
        static final Timeline UNKNOWN = new Timeline(0, 0);

        /** That of a row with the system's identifier and the name of the file that the server writes. */
        static Timeline of(RowSet<Row> rows) {
            Row row = rows.iterator().next();
            return new Timeline(row.getLong(0), Long.parseLong(row.getString(1).substring(0, DIGITS), HEX));
        }
    }

    /** Whether any was seen. */
    boolean known() {
        return !newest.isEmpty();
    }

    /** Whether no newer one was seen; remembers it. */
    boolean current(Timeline seen) {
        return newest.merge(seen.system(), seen.number(), Math::max) == seen.number();
    }
}
