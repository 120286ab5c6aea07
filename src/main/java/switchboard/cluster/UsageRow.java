package switchboard.cluster;

import java.util.List;
import java.util.stream.IntStream;

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

    /** No index has room for longer ones. */
    private static final int LONGEST_NAME = 256;

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

    /** The same with names that the database can have: one that it refuses would keep all others from being written. */
    UsageRow storable() {
        return new UsageRow(unit, hour, storable(team), storable(backend), storable(tool), counts);
    }

    private static String storable(String name) {
        String known = name.replace('\0', '\uFFFD');
        int end = Math.min(known.length(), LONGEST_NAME);
        boolean half = end < known.length() && Character.isHighSurrogate(known.charAt(end - 1));
        return known.substring(0, half ? end - 1 : end);
    }

    /** What is counted together. */
    List<Object> key() {
        return List.of(unit, hour, team, backend, tool);
    }

    UsageRow plus(UsageRow more) {
        List<Long> sums = IntStream.range(0, COUNTS)
                .mapToObj(i -> counts.get(i) + more.counts.get(i))
                .toList();
        return new UsageRow(unit, hour, team, backend, tool, sums);
    }
}
