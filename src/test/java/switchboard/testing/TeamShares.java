package switchboard.testing;

import switchboard.concurrent.TeamShare;

/** Shares of teams whose number does not change. */
public final class TeamShares {
    private TeamShares() {}

    /** The share {@code part} of each of {@code teams} teams. */
    public static TeamShare among(double part, int teams) {
        TeamShare share = new TeamShare(part);
        share.among(() -> teams);
        return share;
    }
}
