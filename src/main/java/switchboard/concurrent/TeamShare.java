package switchboard.concurrent;

import java.util.function.IntSupplier;

/**
 * How much of something bounded one team may hold: a part of it where there are several teams, all of it otherwise. Work
 * of no team, {@code ""}, counts together as that of one more. Thread-safe.
 */
public final class TeamShare {
    /** All of it, however many teams there are. */
    public static final TeamShare ALL = new TeamShare(1);

    private final double part;
    private volatile IntSupplier teams = () -> 0;

    /** A share of {@code part}, above 0 up to 1, once {@link #among} says that there are several teams. */
    public TeamShare(double part) {
        this.part = part;
    }

    /** The same with a fixed number of teams. */
    public static TeamShare of(double part, int teams) {
        TeamShare share = new TeamShare(part);
        share.among(() -> teams);
        return share;
    }

    /** From now on {@code count} says how many teams there are. */
    public void among(IntSupplier count) {
        teams = count;
    }

    /** How much of {@code bound} a team may hold; at least 1 of 1. */
    public int of(int bound) {
        return teams.getAsInt() > 1 ? Math.max(Math.min(1, bound), (int) (bound * part)) : bound;
    }
}
