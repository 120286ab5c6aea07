package switchboard.dispatch;

import java.time.Duration;

/**
 * The adaptive limit on concurrent calls of one backend. It grows while calls take as long as usual, and shrinks when
 * they take longer, because then they only wait for each other at the engine.
 *
 * <p>A gradient limiter as in Netflix's concurrency-limits, after the congestion control of TCP Vegas (Brakmo and
 * Peterson, 1995): every half second the limit is multiplied by the ratio of tolerated to mean latency (at least one
 * half), and its square root is added, so that it grows if nothing is slow and settles at a short queue otherwise.
 * Latency is measured in multiples of the usual duration of the same operation, because tools of one backend take from
 * a millisecond to minutes. A limit that was not reached stays unchanged. Not thread-safe.
 */
final class AdaptiveLimit {
    private static final long WINDOW_NANOS = Duration.ofMillis(500).toNanos();
    private static final int FEWEST_SAMPLES = 10;
    private static final int BEGIN = 32;
    private static final double TOLERATED = 2;
    private static final double STEEPEST = 0.5;
    private static final double SMOOTHING = 0.5;

    private final int fewest;
    private final int most;
    private double limit;
    private long windowEnd;
    private int samples;
    private double slowness;
    private int peak;

    /** A limit between {@code fewest} and {@code most}, both at least 1. */
    AdaptiveLimit(int fewest, int most, long now) {
        this.fewest = fewest;
        this.most = most;
        this.limit = Math.clamp(BEGIN, fewest, most);
        this.windowEnd = now + WINDOW_NANOS;
    }

    /** The limit. */
    int value() {
        return (int) limit;
    }

    /**
     * Records a finished call.
     *
     * @param times its duration in multiples of the usual one
     * @param inFlight number of calls under way, including this one
     * @param now a clock in nanoseconds
     */
    void sample(double times, int inFlight, long now) {
        samples++;
        slowness += times;
        peak = Math.max(peak, inFlight);
        if (now - windowEnd >= 0 && samples >= FEWEST_SAMPLES) {
            if (peak >= limit / 2) {
                adapt(slowness / samples);
            }
            samples = 0;
            slowness = 0;
            peak = 0;
            windowEnd = now + WINDOW_NANOS;
        }
    }

    private void adapt(double mean) {
        double gradient = Math.clamp(TOLERATED / mean, STEEPEST, 1);
        double next = limit * gradient + Math.sqrt(limit);
        limit = Math.clamp(limit + SMOOTHING * (next - limit), fewest, most);
    }
}
