package switchboard.concurrent;

import java.util.function.IntSupplier;

/**
 * The part of a bounded resource that one team may use: a fraction if there are several teams, otherwise all of it.
 * Work without a team, {@code ""}, counts as one more team. Thread-safe.
 */
public final class TeamShare {
    /** No restriction for teams. */
    public static final TeamShare ALL = new TeamShare(1);

    private final double part;
    private volatile IntSupplier teams = () -> 0;

    /** A share of {@code part}, above 0 up to 1. It applies once {@link #among} says that there are several teams. */
    public TeamShare(double part) {
        this.part = part;
    }

    /** Sets the supplier of the number of teams. */
    public void among(IntSupplier count) {
        teams = count;
    }

    /** How much of {@code bound} one team may use; at least 1, if {@code bound} is. */
    public int of(int bound) {
        return teams.getAsInt() > 1 ? Math.max(Math.min(1, bound), (int) (bound * part)) : bound;
    }
}
