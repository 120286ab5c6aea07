package switchboard.console;

import java.util.Map;

/**
 * How far somebody has come in the calls of a gateway.
 *
 * @param place how many calls there were
 * @param teams how many of each team
 */
record CallPosition(long place, Map<String, Long> teams) {
    /** Before the first call. */
    static final CallPosition BEGIN = new CallPosition(0, Map.of());

    CallPosition {
        teams = Map.copyOf(teams);
    }
}
