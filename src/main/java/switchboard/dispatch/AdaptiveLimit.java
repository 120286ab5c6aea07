package switchboard.dispatch;

import java.time.Duration;

/**
 * How many calls one backend is sent at once: more while they take as long as usual, fewer when they take longer, because
 * then they only wait for each other there.
 *
 * <p>The rule is that of the gradient limiters, as Netflix's concurrency-limits made them known, after the congestion
 * control of TCP Vegas (Brakmo and Peterson, 1995): every half second the limit is multiplied by how far the mean latency
 * is above what is tolerated, by half at most, and its square root is added, which lets it grow where nothing is slow and
 * stand still at a short queue where something is. Latency is in multiples of what the same operation usually takes, since
 * tools of one backend take from a millisecond to minutes. A limit that was not reached says nothing and stays. Not
 * thread-safe.
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
     * A call has ended.
     *
     * @param times how many times as long as usual it took
     * @param inFlight how many were under way, this one among them
     * @param now on a clock in nanoseconds
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
