package switchboard.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the number of values of one label finite: each distinct value is a time series of its own, for ever. What comes
 * after the first values is {@value #OTHER}. Thread-safe.
 */
final class BoundedLabel {
    static final String OTHER = "other";

    private final int limit;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    BoundedLabel(int limit) {
        this.limit = limit;
    }

    String of(String value) {
        if (known.contains(value)) {
            return value;
        }
        // Two threads may both take the last place; one value more than the limit does no harm.
        if (known.size() >= limit) {
            return OTHER;
        }
        known.add(value);
        return value;
    }
}
