package switchboard.auth;

import org.jspecify.annotations.Nullable;

/** This gateway's part of a day's budget that several share: calls or tokens. Not thread-safe. */
final class DaySlice {
    private long used;
    private long taken; // all that this gateway has had of the day: used, and what it may use
    private long total; // what all gateways have had, as of the last answer
    private long elsewhere;
    private long usedAtReport;
    private long alone = -1; // what may be used besides while the database is away
    private long before; // used in the last period
    private long recent;

    /** Whether something may be used. */
    boolean room() {
        return used < taken + Math.max(0, alone);
    }

    /** What may still be used, without the part for times when the database is away. */
    long left() {
        return Math.max(0, taken - used);
    }

    /** Whether more was used than this gateway has had. */
    boolean owes() {
        return used > taken;
    }

    /** How much more was used than this gateway has had. */
    long owed() {
        return Math.max(0, used - taken);
    }

    /** Whether as of the last answer nothing of {@code limit} was left, and no gateway could give anything back. */
    boolean exhausted(long limit) {
        return total >= limit && elsewhere == 0;
    }

    /** Whether as of the last answer more than {@code limit} was used, while other gateways could still use something. */
    boolean exceeded(long limit) {
        return total > limit && elsewhere > 0;
    }

    void use(long amount) {
        used += amount;
        recent += amount;
    }

    void takeBack() {
        used = Math.max(0, used - 1);
    }

    /** Whether so little is left that more should be asked for before it is used up. */
    boolean low() {
        long target = target();
        return target > 1 && left() < target / 2;
    }

    private long target() {
        return Math.max(before, recent);
    }

    /** A second is over; as much as was used in it is expected to be used in the next one. */
    void tick() {
        before = recent;
        recent = 0;
    }

    /** The limit has changed: what is left was part of another one. */
    void drop() {
        taken = Math.min(taken, used);
        alone = -1;
    }

    /**
     * Reports, and gives back what is not needed soon.
     *
     * @param limit the limit, or null
     * @param valid whether the slice lasts
     * @param waiting how much calls wait for
     * @param asked whether another gateway needs what this one does not use
     */
    BudgetReport.DayUse report(@Nullable Long limit, boolean valid, long waiting, boolean asked) {
        long target = limit == null || asked ? 0 : target();
        long kept = limit != null && valid ? Math.min(left(), Math.max(target, waiting)) : 0;
        long had = taken;
        taken = Math.min(taken, used + kept);
        usedAtReport = used;
        long needed = limit == null ? 0 : Math.max(0, waiting - kept);
        return new BudgetReport.DayUse(used, had, kept, needed, Math.max(needed, target - kept));
    }

    /** The answer to the last report, perhaps on another day. */
    void answered(BudgetGrant.DayGrant grant, boolean anotherDay) {
        if (anotherDay) {
            used = Math.max(0, used - usedAtReport);
        }
        alone = -1;
        taken = grant.taken();
        total = grant.total();
        elsewhere = grant.elsewhere();
    }

    /** The database is away: {@code nodes} gateways share what was left of {@code limit}, and each may use at least one. */
    void standAlone(@Nullable Long limit, int nodes) {
        if (alone < 0) {
            long free = limit == null ? 0 : Math.max(0, limit - total);
            alone = free == 0 ? 0 : Math.max(1, free / nodes);
        }
    }

    /** Another day has begun, of which the database knows nothing yet. */
    void turn() {
        used = 0;
        usedAtReport = 0;
        taken = 0;
        total = 0;
        elsewhere = 0;
        alone = -1;
    }
}
