package switchboard.console;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** What is counted in an hour, or in a day. Its rows are bounded. Thread-safe. */
final class UsagePeriod {
    /** How many rows there are; after that, calls are counted under the tool {@code other} of their team. */
    static final int MOST_ROWS = 1000;

    /** With more teams than this allows, calls of the last ones are counted for no team. */
    private static final int MOST_ROWS_WITH_OTHERS = 2 * MOST_ROWS;

    private final long number;
    private final Map<UsageKey, UsageCounts> rows = new ConcurrentHashMap<>();

    /** A period without calls; {@code number} is how many of them there were since 1970. */
    UsagePeriod(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    int size() {
        return rows.size();
    }

    /** The counts for {@code key}, or for those for which there is no room. */
    UsageCounts counts(UsageKey key) {
        UsageCounts known = rows.get(key);
        return known != null ? known : rows.computeIfAbsent(fitting(key), _ -> new UsageCounts());
    }

    private UsageKey fitting(UsageKey key) {
        int size = rows.size();
        if (size < MOST_ROWS) {
            return key;
        }
        UsageKey other = UsageKey.other(key.team());
        return size < MOST_ROWS_WITH_OTHERS || rows.containsKey(other) ? other : UsageKey.other("");
    }

    void forEach(BiConsumer<UsageKey, UsageCounts> action) {
        rows.forEach(action);
    }
}
