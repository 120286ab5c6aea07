package switchboard.dispatch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The average duration of each operation of a backend over about ten minutes, so that an operation that is always slow
 * does not count as overload. Not thread-safe.
 */
final class LatencyBaseline {
    /** Maximum number of operations with their own average; further ones share one. */
    private static final int MOST = 512;

    private static final String OTHER = "";
    private static final double MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<String, Average> averages = new HashMap<>();

    /** The duration in multiples of the usual one for {@code operation}. It is included in the average from now on. */
    double slowness(String operation, long nanos, long now) {
        Average average = averages.get(operation);
        if (average == null) {
            average = averages.computeIfAbsent(averages.size() < MOST ? operation : OTHER, _ -> new Average());
        }
        double usual = average.count == 0 ? nanos : average.nanos;
        average.add(nanos, now);
        return nanos / Math.max(1, usual);
    }

    private static final class Average {
        private long count;
        private double nanos;
        private long last;

        /** A plain average at first; later each value is weighted by the time since the previous one. */
        void add(long value, long now) {
            double weight = count == 0 ? 1 : 1 - Math.exp((last - now) / MEMORY_NANOS);
            count++;
            nanos += Math.max(weight, 1.0 / count) * (value - nanos);
            last = now;
        }
    }
}
