package switchboard.dispatch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each operation of a backend has taken on the average of about the last ten minutes, so that one that always
 * takes long is not taken for a sign of overload. Not thread-safe.
 */
final class LatencyBaseline {
    /** Operations beyond that, of other servers' tools, share one average. */
    private static final int MOST = 512;

    private static final String OTHER = "";
    private static final double MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<String, Average> averages = new HashMap<>();

    /** How many times as long as usual {@code operation} took, which counts from now on. */
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

        /** The plain average in the beginning; later each value weighs by the time since the one before. */
        void add(long value, long now) {
            double weight = count == 0 ? 1 : 1 - Math.exp((last - now) / MEMORY_NANOS);
            count++;
            nanos += Math.max(weight, 1.0 / count) * (value - nanos);
            last = now;
        }
    }
}
