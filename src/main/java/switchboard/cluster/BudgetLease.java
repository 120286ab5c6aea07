package switchboard.cluster;

import switchboard.auth.BudgetLedger;

/**
 * What one node holds of one payer's limits.
 *
 * @param untilMillis when it ends, by the database's clock
 * @param calls of the day
 * @param tokens of the day
 * @param rate calls that the node may let through
 * @param places for concurrent calls
 */
record BudgetLease(long untilMillis, DayPart calls, DayPart tokens, long rate, PlacePart places) {
    /** Nothing. */
    static final BudgetLease NONE = new BudgetLease(0, DayPart.NONE, DayPart.NONE, 0, PlacePart.NONE);

    /**
     * A part of a day's budget.
     *
     * @param taken used, as far as the node has said, and left
     * @param left not used
     */
    record DayPart(long taken, long left) {
        static final DayPart NONE = new DayPart(0, 0);
    }

    /**
     * Places for concurrent calls.
     *
     * @param held that the node has
     * @param missing that it needed at its last exchange and did not get
     * @param servedMillis when it last got one that it needed, by the database's clock
     */
    record PlacePart(int held, int missing, long servedMillis) {
        static final PlacePart NONE = new PlacePart(0, 0, 0);
    }

    /** When the node made its last exchange. */
    long askedMillis() {
        return untilMillis - BudgetLedger.LEASE_MS;
    }

    /** After its time: what it was for may have been used, and is nobody's. */
    BudgetLease ended() {
        return new BudgetLease(untilMillis, calls, tokens, 0, PlacePart.NONE);
    }

    /** The lease when another day has begun: nothing of that day is used or held. */
    BudgetLease onNewDay() {
        return new BudgetLease(untilMillis, DayPart.NONE, DayPart.NONE, rate, places);
    }
}
