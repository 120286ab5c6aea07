package switchboard.session;

import switchboard.auth.PrincipalId;

/**
 * Whose a session is.
 *
 * @param identity the caller that made it
 * @param view the view whose URL made the session
 */
public record SessionOwner(PrincipalId identity, String view) {
    /** The caller's team. */
    public String team() {
        return identity.team();
    }
}
