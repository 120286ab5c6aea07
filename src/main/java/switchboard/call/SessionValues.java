package switchboard.call;

import java.util.HashMap;
import java.util.Map;

/**
 * What a legacy session keeps for one backend from one call to the next: a few short texts by name. A tool's reply may
 * carry some; they take the place of those of the same name, and later calls of that session see them. Never a secret.
 *
 * @param byName at most {@value #MOST} values of at most {@value #LONGEST} characters
 */
public record SessionValues(Map<String, String> byName) {
    /** Nothing is kept. */
    public static final SessionValues NONE = new SessionValues(Map.of());

    private static final int MOST = 16;
    private static final int LONGEST = 256;

    /**
     * Checks the bounds.
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

    /** These, except where {@code newer} has a value of the same name. */
    public SessionValues with(SessionValues newer) {
        Map<String, String> merged = new HashMap<>(byName);
        merged.putAll(newer.byName);
        return new SessionValues(merged);
    }
}
