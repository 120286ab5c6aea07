package switchboard.session;

import java.time.Duration;

/**
 * Limits of sessions.
 *
 * @param max maximum number of sessions, at least 1
 * @param idleTtl a session ends after this time without use
 */
public record SessionLimits(int max, Duration idleTtl) {
    /** The default limits, as in the shipped configuration. */
    public static final SessionLimits DEFAULT = new SessionLimits(1000, Duration.ofHours(1));
}
