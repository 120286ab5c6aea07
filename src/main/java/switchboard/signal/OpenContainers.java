package switchboard.signal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The elements that are open and close all that is in them. A closing tag without an opening one closes nothing, as in browsers. Takes time that
 * grows with the number of tags only. Not thread-safe.
 */
final class OpenContainers {
    /** Closing tag of none that is open. */
    static final int NONE = -1;

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** How many are open. */
    int level() {
        return names.size();
    }

    void opened(String name) {
        names.add(name);
        counts.merge(name, 1, Integer::sum);
    }

    /** Closes the last one of that name and all in it; returns how many are open then, or {@link #NONE} if there is none of that name. */
    int closed(String name) {
        if (counts.getOrDefault(name, 0) == 0) {
            return NONE;
        }
        String last;
        do {
            last = names.removeLast();
            counts.merge(last, -1, Integer::sum);
        } while (!last.equals(name));
        return names.size();
    }
}
