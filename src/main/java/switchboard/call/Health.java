package switchboard.call;

/**
 * Whether a backend's engine answers.
 *
 * @param state how it is
 * @param detail what it said about itself, or what is wrong; safe to show to operators
 */
public record Health(HealthStatus state, String detail) {
    /** How an engine is. */
    public enum HealthStatus {
        /** It answers. */
        UP,
        /** It answers, and a part of its data or of its work is not to be had. */
        DEGRADED,
        /** It does not answer. */
        DOWN
    }

    /** It answers. */
    public static Health up() {
        return up("up");
    }

    /** It answers, and says {@code detail} of itself. */
    public static Health up(String detail) {
        return new Health(HealthStatus.UP, detail);
    }

    /** It answers, and not all of it can be used, because of {@code reason}. */
    public static Health degraded(String reason) {
        return new Health(HealthStatus.DEGRADED, reason);
    }

    /** It does not, because of {@code reason}. */
    public static Health down(String reason) {
        return new Health(HealthStatus.DOWN, reason);
    }

    /** Whether it answers. */
    public boolean ok() {
        return state != HealthStatus.DOWN;
    }
}
