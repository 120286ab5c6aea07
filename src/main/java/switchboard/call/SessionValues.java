package switchboard.call;

import java.util.HashMap;
import java.util.Map;

/**
 * Values that a legacy session keeps for one backend between calls: a few short texts by name. A tool's reply may set
 * some, which replace those of the same name; later calls of that session get them. Never secrets.
 *
 * @param byName at most {@value #MOST} values of at most {@value #LONGEST} characters
 */
public record SessionValues(Map<String, String> byName) {
    /** No values. */
    public static final SessionValues NONE = new SessionValues(Map.of());

    private static final int MOST = 16;
    private static final int LONGEST = 256;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if there are too many values, or one is too long
     */
    public SessionValues {
        byName = Map.copyOf(byName);
        if (byName.size() > MOST || byName.values().stream().anyMatch(value -> value.length() > LONGEST)) {
            throw new IllegalArgumentException(
                    "a session keeps at most " + MOST + " values of " + LONGEST + " characters for a backend");
        }
    }

    /** One value. */
    public static SessionValues of(String name, String value) {
        return new SessionValues(Map.of(name, value));
    }

    /** These values, replaced by those of the same name in {@code newer}. */
    public SessionValues with(SessionValues newer) {
        Map<String, String> merged = new HashMap<>(byName);
        merged.putAll(newer.byName);
        return new SessionValues(merged);
    }
}
