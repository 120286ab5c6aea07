package switchboard.auth;

/**
 * What one team, or one of its keys, has used of its limits.
 *
 * @param team the team's name
 * @param key the key's id; empty for the team
 * @param day the UTC day, in days since 1970-01-01
 * @param calls calls on that day
 * @param tokens tokens of answers on that day
 * @param available calls that could come at once at {@code atMillis}; {@link #WHOLE} if as many as the rate allows
 * @param atMillis milliseconds since 1970-01-01T00:00Z
 */
record SavedBudget(String team, String key, long day, long calls, long tokens, long available, long atMillis) {
    /** As many as the rate allows, or no rate. */
    static final long WHOLE = -1;

    /** What could come at once at {@code nowMillis}, with a rate of {@code perSecond} and at most {@code burst}. */
    long availableAt(long nowMillis, int perSecond, int burst) {
        if (available == WHOLE) {
            return burst;
        }
        double refilled = Math.max(0, nowMillis - atMillis) / 1000.0 * perSecond;
        return (long) Math.min(burst, Math.max(0, available) + refilled);
    }
}
