package switchboard.session;

import java.time.Duration;

/**
 * How a session was used last.
 *
 * @param key the SHA-256 of its id
 * @param ago how long ago
 * @param calls whether a call is under way
 * @param stream whether a stream is open
 */
public record SessionUse(String key, Duration ago, boolean calls, boolean stream) {}
