package switchboard.session;

import java.time.Duration;

/**
 * What is kept of an open session, so that a restarted process can go on with it.
 *
 * @param key the SHA-256 of its id, as base64url without padding
 * @param age the time since it was created
 * @param remaining the time until it expires if it is not used; positive
 * @param <S> the type of its state
 */
public record SavedSession<S>(String key, SessionOwner owner, S state, Duration age, Duration remaining) {}
