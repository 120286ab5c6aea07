package switchboard.cluster;

import java.util.List;

/**
 * What was counted of one tool in an hour or in a day.
 *
 * @param unit {@link #HOUR} or {@link #DAY}; what was read for longer spans has theirs
 * @param hour the first hour of it, in hours since 1970
 * @param counts {@link #COUNTS} numbers, which the database only adds up
 */
public record UsageRow(String unit, long hour, String team, String backend, String tool, List<Long> counts) {
    public static final String HOUR = "hour";
    public static final String DAY = "day";

    /** How many counts a row has: four outcomes, tokens, and a histogram. */
    public static final int COUNTS = 27;

    /**
     * A row.
     *
     * @throws IllegalArgumentException if there are more or fewer counts
     */
    public UsageRow {
        counts = List.copyOf(counts);
        if (counts.size() != COUNTS) {
            throw new IllegalArgumentException("a row with " + counts.size() + " counts");
        }
    }
}
