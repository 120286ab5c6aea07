package switchboard.testing.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What became of the calls of a load. Thread-safe. */
public final class Tally {
    /** Most failures that are kept; one more ends the run. */
    private static final int MOST_KEPT = 200_000;

    private final Map<String, LongAdder> answered = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger kept = new AtomicInteger();

    /**
     * A call that did not succeed.
     *
     * @param backend whose tool
     * @param tool its name
     * @param kind as the gateway says, or {@code BROKEN} for what is no answer of a tool
     * @param text what it said
     * @param began when it was sent, as {@link System#nanoTime} counts
     * @param ended when it was answered
     */
    public record Failure(String backend, String tool, String kind, String text, long began, long ended) {}

    void success(String backend, String tool) {
        calls.computeIfAbsent(tool, _ -> new LongAdder()).increment();
        answered.computeIfAbsent(backend, _ -> new LongAdder()).increment();
    }

    void failure(Failure failure) {
        calls.computeIfAbsent(failure.tool(), _ -> new LongAdder()).increment();
        if (kept.incrementAndGet() > MOST_KEPT) {
            throw new IllegalStateException("more failures than are kept: " + failure);
        }
        failures.add(failure);
    }

    /** How many calls succeeded, by backend. */
    public Map<String, Long> answered() {
        Map<String, Long> all = new TreeMap<>();
        answered.forEach((backend, count) -> all.put(backend, count.sum()));
        return all;
    }

    /** How many calls came to an end, by tool. */
    public Map<String, Long> calls() {
        Map<String, Long> all = new TreeMap<>();
        calls.forEach((tool, count) -> all.put(tool, count.sum()));
        return all;
    }

    /** How many calls came to an end. */
    public long total() {
        return calls.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** The calls that did not succeed. */
    public Collection<Failure> failures() {
        return List.copyOf(failures);
    }

    /** {@code failures} counted by tool and kind, with the words of the first of each. */
    public static List<String> summary(Collection<Failure> failures) {
        Map<String, List<Failure>> groups = new TreeMap<>();
        failures.forEach(
                failure -> groups.computeIfAbsent(failure.tool() + " " + failure.kind(), _ -> new ArrayList<>())
                        .add(failure));
        List<String> lines = new ArrayList<>();
        groups.forEach((group, all) ->
                lines.add(group + " x" + all.size() + ": " + all.getFirst().text()));
        return lines;
    }
}
