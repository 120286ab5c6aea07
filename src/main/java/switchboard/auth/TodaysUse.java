package switchboard.auth;

/**
 * What a team, or one of its keys, has used of the current UTC day.
 *
 * @param calls its calls
 * @param tokens tokens of answers; counted only where they are limited
 */
public record TodaysUse(long calls, long tokens) {
    /** Nothing yet. */
    public static final TodaysUse NOTHING = new TodaysUse(0, 0);
}
