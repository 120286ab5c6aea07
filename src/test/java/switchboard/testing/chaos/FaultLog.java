package switchboard.testing.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes faults and remembers when they were, so that failed calls can be told from those that must not fail. A call may
 * fail while the engine behind it has a fault and until the next probe, and only with a kind that blames the engine.
 */
public final class FaultLog {
    /** So often at least an engine is asked how it is, by which a fault is found, and its end. */
    static final Duration PROBE = Duration.ofSeconds(10);

    /** What a probe or a call that is under way may take beyond that. */
    static final Duration SLACK = Duration.ofSeconds(3);

    private static final Set<String> ENGINES_FAULT = Set.of("UNAVAILABLE", "TIMEOUT", "OVERLOADED");

    private final Engines engines;
    private final Queue<Round> rounds = new ConcurrentLinkedQueue<>();

    /** Nothing has happened yet to {@code engines}. */
    public FaultLog(Engines engines) {
        this.engines = engines;
    }

    /** One fault; times as {@link System#nanoTime} counts. */
    private record Round(Target target, Fault fault, long began, long lifted) {
        boolean explains(Tally.Failure failure) {
            return failure.backend().equals(target.backend())
                    && failure.ended() >= began
                    && failure.began() <= lifted + PROBE.plus(SLACK).toNanos()
                    && ENGINES_FAULT.contains(failure.kind());
        }

        String line(List<Tally.Failure> own) {
            long last = own.stream().mapToLong(Tally.Failure::began).max().orElse(lifted);
            return "%-12s %-9s %5d calls failed %s, the last was sent %d ms after the end"
                    .formatted(
                            target.backend(),
                            fault,
                            own.size(),
                            new TreeSet<>(own.stream().map(Tally.Failure::kind).toList()),
                            Math.max(0, TimeUnit.NANOSECONDS.toMillis(last - lifted)));
        }
    }

    /** Has {@code target} do {@code fault} for this long; returns when it is over. */
    public void inject(Target target, Fault fault, Duration duration) {
        long began = System.nanoTime();
        try (Engines.Lift _ = engines.inject(target, fault)) {
            LockSupport.parkNanos(duration.toNanos());
        }
        rounds.add(new Round(target, fault, began, System.nanoTime()));
    }

    /** A line for each fault: what it did to calls, and how soon these were well again. */
    public List<String> lines(Tally tally) {
        Map<Round, List<Tally.Failure>> owners = new HashMap<>();
        tally.failures().forEach(failure -> owner(failure)
                .ifPresent(round ->
                        owners.computeIfAbsent(round, _ -> new ArrayList<>()).add(failure)));
        return rounds.stream()
                .map(round -> round.line(owners.getOrDefault(round, List.of())))
                .toList();
    }

    /** The last fault that explains {@code failure}. */
    private Optional<Round> owner(Tally.Failure failure) {
        return rounds.stream().filter(round -> round.explains(failure)).max(Comparator.comparingLong(Round::began));
    }

    /** The failures that no fault explains, counted by tool and kind. */
    public List<String> unexplained(Tally tally) {
        return Tally.summary(tally.failures().stream()
                .filter(failure -> owner(failure).isEmpty())
                .toList());
    }
}
