package switchboard.backend.mcp.peer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The resources that a server did not subscribe to, which it is asked for again after growing pauses. Not thread-safe. */
final class Postponed {
    private static final Duration REFUSED = Duration.ofMinutes(10);
    private static final Duration UNANSWERED = Duration.ofSeconds(20);
    /** The longest pauses are so many times the first ones. */
    private static final int GROWTH = 16;

    private record Pause(long until, Duration length) {}

    private final LongSupplier nanos;
    private final Map<String, Pause> pauses = new HashMap<>();

    Postponed(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The server has refused it. */
    void refused(String uri) {
        add(uri, REFUSED);
    }

    /** The server has given no answer. */
    void unanswered(String uri) {
        add(uri, UNANSWERED);
    }

    private void add(String uri, Duration first) {
        Pause before = pauses.get(uri);
        Duration length = before == null ? first : before.length().multipliedBy(2);
        Duration longest = first.multipliedBy(GROWTH);
        Duration next = length.compareTo(first) < 0 ? first : length.compareTo(longest) > 0 ? longest : length;
        pauses.put(uri, new Pause(nanos.getAsLong() + next.toNanos(), next));
    }

    /** Whether it is too early to ask for it again. */
    boolean waits(String uri) {
        Pause pause = pauses.get(uri);
        return pause != null && nanos.getAsLong() - pause.until() < 0;
    }

    void remove(String uri) {
        pauses.remove(uri);
    }

    /** Forgets all but {@code uris}. */
    void retain(Set<String> uris) {
        pauses.keySet().retainAll(uris);
    }

    void clear() {
        pauses.clear();
    }
}
