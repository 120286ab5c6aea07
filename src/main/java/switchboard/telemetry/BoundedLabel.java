package switchboard.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds the number of values of a label, because each value is a permanent time series. Once there are too many
 * values, new ones become {@value #OTHER}. Thread-safe.
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
        // Two threads may both add the last value; one more than the limit does no harm.
        if (known.size() >= limit) {
            return OTHER;
        }
        known.add(value);
        return value;
    }
}
