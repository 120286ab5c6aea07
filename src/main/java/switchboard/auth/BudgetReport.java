package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * What a node says about one payer when it exchanges slices. What it keeps is what it goes on using until it is answered.
 *
 * @param payer who
 * @param limits as this node has read them
 * @param first whether there may be no row for the payer yet
 * @param day the UTC day of the counts, or null if the node does not know it yet
 */
public record BudgetReport(
        BudgetPayer payer,
        BudgetLimits limits,
        boolean first,
        @Nullable Long day,
        DayUse calls,
        DayUse tokens,
        RateUse rate,
        PlaceUse places) {
    /**
     * The use of a day's budget.
     *
     * @param used on this node on that day
     * @param taken how much of the day's budget this node had at its last answer: used, and not yet used
     * @param kept how much it may still use before it is answered
     * @param needed how much it needs besides
     * @param wanted how much it would like besides, at least {@code needed}
     */
    public record DayUse(long used, long taken, long kept, long needed, long wanted) {}

    /**
     * The use of a rate.
     *
     * @param kept calls that it may still let through
     * @param back calls that it gives back
     * @param needed calls that wait
     * @param wanted calls that it would like besides {@code kept}, at least {@code needed}
     * @param debt calls that it has let through without having them
     */
    public record RateUse(long kept, long back, long needed, long wanted, double debt) {}

    /**
     * The use of places for concurrent calls.
     *
     * @param kept calls under way, and calls that it may begin before it is answered
     * @param needed calls that wait
     * @param wanted places that it would like besides {@code kept}, at least {@code needed}
     */
    public record PlaceUse(int kept, int needed, int wanted) {}
}
