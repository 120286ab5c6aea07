package switchboard.auth;

/**
 * What a node has for one payer from now on.
 *
 * @param day the UTC day, in days since 1970-01-01
 */
public record BudgetGrant(long day, DayGrant calls, DayGrant tokens, RateGrant rate, PlaceGrant places) {
    /**
     * Of a day's budget.
     *
     * @param taken all that this node has had of the day: what it said that it used, and what it may use now
     * @param total what all nodes together have had
     * @param elsewhere how much of it other nodes have not used, as far as they have said
     */
    public record DayGrant(long taken, long total, long elsewhere) {}

    /**
     * Of a rate.
     *
     * @param granted calls that it may let through besides those that it kept
     * @param level calls that are left for all nodes
     * @param elsewhere calls that other nodes may still let through
     */
    public record RateGrant(long granted, double level, long elsewhere) {}

    /**
     * Of the places.
     *
     * @param held all places that this node has now
     * @param elsewhere those of other nodes
     */
    public record PlaceGrant(int held, int elsewhere) {}
}
