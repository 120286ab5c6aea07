package switchboard.auth;

import org.jspecify.annotations.Nullable;

/** This gateway's part of the places for concurrent calls that several share. Not thread-safe. */
final class PlaceSlice {
    private int running;
    private int places; // of this gateway, used or not
    private int before; // most calls under way in the last period
    private int recent;

    /** Whether a call may begin; only while the lease lasts. */
    boolean room() {
        return running < places;
    }

    /** Whether the calls of this gateway alone are as many as {@code limit}. */
    boolean full(int limit) {
        return running >= limit;
    }

    /** Whether a call may begin while the database is away. */
    boolean roomAlone(int limit, int nodes) {
        return running < Math.max(1, limit / nodes);
    }

    void begin() {
        running++;
        recent = Math.max(recent, running);
    }

    void end() {
        running--;
    }

    /** Whether it has places or calls. */
    boolean held() {
        return running > 0 || places > 0;
    }

    /** Whether it has a place without a call, which others may need. */
    boolean spare() {
        return places > running;
    }

    /** A second is over; as many calls at once as in it are expected in the next one. */
    void tick() {
        before = recent;
        recent = running;
    }

    /** The limit has changed: places without a call were part of another one. */
    void drop() {
        places = Math.min(places, running);
    }

    /**
     * Reports, and gives back what is not needed soon.
     *
     * @param limit the limit, or null
     * @param valid whether the lease lasts
     * @param waiting how many calls wait
     * @param asked whether another gateway needs what this one does not use
     */
    BudgetReport.PlaceUse report(@Nullable Integer limit, boolean valid, int waiting, boolean asked, int nodes) {
        if (limit == null) {
            places = 0;
            return new BudgetReport.PlaceUse(0, 0, 0);
        }
        int target = asked || limit < nodes ? 0 : Math.max(0, Math.max(before, recent) - running);
        int spare = valid ? Math.max(0, places - running) : 0;
        int kept = Math.min(spare, asked ? 0 : Math.max(target, waiting));
        int needed = Math.max(0, waiting - kept);
        places = running + kept;
        return new BudgetReport.PlaceUse(places, needed, Math.max(needed, target - kept));
    }

    /** The answer to the last report. */
    void answered(BudgetGrant.PlaceGrant grant) {
        places = grant.held();
    }
}
