package switchboard.call;

import io.vertx.core.Future;

/**
 * The health of a backend's engine.
 *
 * @param state its state
 * @param detail its version or its problem; safe to show to operators
 */
public record Health(HealthStatus state, String detail) {
    /** The state of an engine. */
    public enum HealthStatus {
        /** It answers. */
        UP,
        /** It answers, but a part of its data or features is not available. */
        DEGRADED,
        /** It does not answer yet, because it reads what it needs; a gateway is not ready before it does. */
        STARTING,
        /** It does not answer. */
        DOWN
    }

    /** It answers. */
    public static Health up() {
        return up("up");
    }

    /** It answers; {@code detail} describes it. */
    public static Health up(String detail) {
        return new Health(HealthStatus.UP, detail);
    }

    /** It answers, but is restricted because of {@code reason}. */
    public static Health degraded(String reason) {
        return new Health(HealthStatus.DEGRADED, reason);
    }

    /** It does not answer yet because of {@code reason}. */
    public static Health starting(String reason) {
        return new Health(HealthStatus.STARTING, reason);
    }

    /** It does not answer because of {@code reason}. */
    public static Health down(String reason) {
        return new Health(HealthStatus.DOWN, reason);
    }

    /** Up if {@code check} succeeds, otherwise down because of its failure. */
    public static Future<Health> of(Future<?> check) {
        return check.map(_ -> up()).otherwise(failure -> down(String.valueOf(failure.getMessage())));
    }

    /** Whether it answers. */
    public boolean ok() {
        return state == HealthStatus.UP || state == HealthStatus.DEGRADED;
    }
}
