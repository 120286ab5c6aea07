package switchboard.watch;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** The standing questions whose webhooks are to be told something. Teams take turns, so that one with slow receivers holds up no other. Thread-safe. */
public final class WebhookQueue {
    private static final int AT_ONCE = 16;
    private static final int OF_A_TEAM = 2;

    private record Due(String uri, String team, long at) {}

    /** By team, in the order of their turns. */
    private final Map<String, TreeSet<Due>> waiting = new LinkedHashMap<>();

    private final Map<String, Due> known = new HashMap<>();

    /** Teams by the URIs that were taken. */
    private final Map<String, String> busy = new HashMap<>();

    private final Map<String, Integer> running = new HashMap<>();

    /**
     * The question {@code uri} may have changed, or be gone.
     *
     * @param newest gives it as it is now
     */
    public synchronized void put(String uri, Function<String, Optional<Watch>> newest) {
        remove(uri);
        newest.apply(uri)
                .ifPresent(watch -> watch.answers().webhook().head().ifPresent(head -> add(watch, head.next())));
    }

    /** {@code watch} is not looked at before {@code at}, in milliseconds since 1970. */
    public synchronized void later(Watch watch, long at) {
        remove(watch.uri());
        add(watch, at);
    }

    private void add(Watch watch, long at) {
        Due due = new Due(watch.uri(), watch.owner().team(), at);
        known.put(due.uri(), due);
        waiting.computeIfAbsent(
                        due.team(),
                        _ -> new TreeSet<>(Comparator.comparingLong(Due::at).thenComparing(Due::uri)))
                .add(due);
    }

    /** The question {@code uri} is gone. */
    public synchronized void remove(String uri) {
        Due due = known.remove(uri);
        if (due != null) {
            waiting.computeIfPresent(due.team(), (_, all) -> all.remove(due) && all.isEmpty() ? null : all);
        }
    }

    /** Takes one that is due at {@code now}, in milliseconds since 1970; {@link #done} gives its place to another. */
    public synchronized Optional<String> take(long now) {
        if (busy.size() >= AT_ONCE) {
            return Optional.empty();
        }
        Iterator<Map.Entry<String, TreeSet<Due>>> teams = waiting.entrySet().iterator();
        while (teams.hasNext()) {
            Map.Entry<String, TreeSet<Due>> entry = teams.next();
            String team = entry.getKey();
            TreeSet<Due> all = entry.getValue();
            Optional<Due> due = running.getOrDefault(team, 0) >= OF_A_TEAM
                    ? Optional.empty()
                    : all.stream()
                            .limit(OF_A_TEAM)
                            .filter(each -> each.at() <= now && !busy.containsKey(each.uri()))
                            .findFirst();
            if (due.isPresent()) {
                teams.remove();
                waiting.put(team, all);
                busy.put(due.get().uri(), team);
                running.merge(team, 1, Integer::sum);
                return due.map(Due::uri);
            }
        }
        return Optional.empty();
    }

    /** {@code watch}, whose URI {@link #take} gave, was looked at. */
    public synchronized void done(Watch watch) {
        done(watch.uri());
    }

    /** There is no question {@code uri}, which {@link #take} gave. */
    public synchronized void gone(String uri) {
        remove(uri);
        done(uri);
    }

    private void done(String uri) {
        String team = busy.remove(uri);
        if (team != null) {
            running.computeIfPresent(team, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** How many wait. */
    public synchronized int size() {
        return known.size();
    }
}
