package switchboard.session;

import java.time.Duration;

/**
 * Bounds of the sessions.
 *
 * @param max most sessions at a time, at least 1
 * @param idleTtl a session unused for so long ends
 */
public record SessionLimits(int max, Duration idleTtl) {
    /** The limits of the shipped configuration. */
    public static final SessionLimits DEFAULT = new SessionLimits(1000, Duration.ofHours(1));
}
