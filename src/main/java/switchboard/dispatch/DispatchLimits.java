package switchboard.dispatch;

/**
 * How many calls may be under way.
 *
 * @param perBackend at one backend, at least 1
 * @param total in the process, at least 1
 * @param retryAfterMs what a refused caller is told to wait
 */
public record DispatchLimits(int perBackend, int total, long retryAfterMs) {
    /** The limits of the shipped configuration. */
    public static final DispatchLimits DEFAULT = new DispatchLimits(256, 1024, 500);
}
