package switchboard.console;

import java.util.List;
import java.util.Map;

/**
 * The calls after a position.
 *
 * @param calls the newest of them, the oldest one first
 * @param leftOut how many there were before these, by team
 * @param position where to go on
 */
record NextCalls(List<WatchedCall> calls, Map<String, Long> leftOut, CallPosition position) {
    NextCalls {
        calls = List.copyOf(calls);
        leftOut = Map.copyOf(leftOut);
    }
}
