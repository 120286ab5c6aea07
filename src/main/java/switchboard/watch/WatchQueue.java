package switchboard.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The standing questions that are to be asked again. Teams take turns, and each has its own pace, so that the many questions of
 * one team keep those of another one waiting no longer than one question. Thread-safe.
 */
public final class WatchQueue {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final WatchSettings settings;

    /** By team, in the order of their turns. */
    private final Map<String, LinkedHashSet<String>> waiting = new LinkedHashMap<>();

    /** When a team's next question may be asked, by a steady clock in nanoseconds. */
    private final Map<String, Long> next = new HashMap<>();

    /** An empty queue. */
    public WatchQueue(WatchSettings settings) {
        this.settings = settings;
    }

    /** Has {@code watch} be asked. */
    public synchronized void add(Watch watch) {
        waiting.computeIfAbsent(watch.owner().team(), _ -> new LinkedHashSet<>())
                .add(watch.uri());
    }

    /** Has {@code watch} be asked if it is due at {@code now} though nothing is known to have changed. */
    public void addIfDue(Watch watch, Instant now) {
        settings.of(watch.owner().team())
                .filter(team -> !Instant.ofEpochMilli(watch.times().ran())
                        .plus(team.every())
                        .isAfter(now))
                .ifPresent(_ -> add(watch));
    }

    /** Takes the URI of the next one that may be asked; empty if none may now. {@code nanos} is that of a steady clock. */
    public synchronized Optional<String> take(long nanos) {
        Iterator<Map.Entry<String, LinkedHashSet<String>>> teams =
                waiting.entrySet().iterator();
        while (teams.hasNext()) {
            Map.Entry<String, LinkedHashSet<String>> entry = teams.next();
            String team = entry.getKey();
            LinkedHashSet<String> uris = entry.getValue();
            if (next.getOrDefault(team, nanos) - nanos <= 0) {
                String uri = uris.removeFirst();
                teams.remove();
                if (!uris.isEmpty()) {
                    waiting.put(team, uris);
                }
                next.put(team, nanos + pause(team));
                return Optional.of(uri);
            }
        }
        return Optional.empty();
    }

    /** Has none be asked. */
    public synchronized void clear() {
        waiting.clear();
    }

    /** How many wait. */
    public synchronized int size() {
        return waiting.values().stream().mapToInt(Set::size).sum();
    }

    private long pause(String team) {
        return settings.of(team)
                .map(known -> MINUTE.dividedBy(known.runsPerMinute()).toNanos())
                .orElse(0L);
    }
}
