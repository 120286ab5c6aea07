package switchboard.session;

import switchboard.auth.PrincipalId;

/**
 * The owner of a session.
 *
 * @param identity the caller that created it
 * @param view the view whose URL created it
 */
public record SessionOwner(PrincipalId identity, String view) {
    /** The caller's team. */
    public String team() {
        return identity.team();
    }
}
