package switchboard.testing.chaos;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import switchboard.testing.GatewayProcess;
import switchboard.testing.LongRun;

/**
 * Faults of engines, one after the other in each of some series, under a load of all tools. Calls that no fault
 * explains ({@link FaultLog}) must all succeed. Afterwards the gateway must hold what it held before.
 */
public final class ChaosRounds {
    private static final int CALLERS = 3;
    private static final double CALLS_PER_SECOND = 12;
    /** How long it may take on a machine with other work until a call to each backend has succeeded again. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private static final Duration SETTLING = Duration.ofSeconds(LongRun.times(8, 15));

    private final Engines engines;
    private final GatewayProcess gateway;
    private final PrintStream out;
    private final FaultLog faults;

    /** Rounds on {@code gateway}, which stands before {@code engines}; what happened is printed to {@code out}. */
    public ChaosRounds(Engines engines, GatewayProcess gateway, PrintStream out) {
        this.engines = engines;
        this.gateway = gateway;
        this.out = out;
        this.faults = new FaultLog(engines);
    }

    /**
     * A fault of an engine.
     *
     * @param target whose
     * @param fault which
     */
    public record Round(Target target, Fault fault) {}

    /** Every fault of every engine. */
    public static List<Round> all() {
        List<Round> all = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            for (Target target : Target.values()) {
                all.add(new Round(target, fault));
            }
        }
        return all;
    }

    /** Each fault once, each time of another engine while there is one; {@code seed} says of which. */
    public static List<Round> some(long seed) {
        List<Target> targets = new ArrayList<>(List.of(Target.values()));
        Collections.shuffle(targets, new Random(seed));
        List<Round> some = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            some.add(new Round(targets.get(some.size() % targets.size()), fault));
        }
        return some;
    }

    /**
     * Makes each of {@code rounds} last for {@code each}, {@code series} at once; fails when something was not as it must be.
     */
    public void run(List<Round> rounds, Duration each, int series) {
        Tally tally = new Tally();
        try (MixedLoad load = new MixedLoad(engines, gateway, CALLERS, tally)) {
            load.pace(CALLS_PER_SECOND);
            LockSupport.parkNanos(SETTLING.toNanos());
        }
        Footprint before = Footprint.idle(gateway);
        List<String> problems = new ArrayList<>();
        try (MixedLoad load = new MixedLoad(engines, gateway, CALLERS, tally)) {
            load.pace(CALLS_PER_SECOND);
            runAll(rounds, each, series);
            LockSupport.parkNanos(FaultLog.PROBE.plus(FaultLog.SLACK).toNanos());
            problems.addAll(down());
            Map<String, Long> answered = tally.answered();
            Set<String> silent = silent(answered, tally);
            for (long end = System.nanoTime() + AGAIN.toNanos(); !silent.isEmpty() && System.nanoTime() < end; ) {
                LockSupport.parkNanos(FaultLog.SLACK.toNanos());
                silent = silent(answered, tally);
            }
            silent.forEach(backend -> problems.add("no call to " + backend + " succeeds any more"));
        }
        out.println("calls: " + tally.calls());
        faults.lines(tally).forEach(out::println);
        problems.addAll(faults.unexplained(tally));
        problems.addAll(before.leaks(gateway, out));
        if (!problems.isEmpty()) {
            throw new AssertionError(String.join("\n", problems));
        }
    }

    /** The backends of which no call has succeeded since {@code answered} was read. */
    private static Set<String> silent(Map<String, Long> answered, Tally tally) {
        Set<String> silent = new TreeSet<>();
        tally.answered().forEach((backend, count) -> {
            if (count <= answered.getOrDefault(backend, 0L)) {
                silent.add(backend);
            }
        });
        return silent;
    }

    private void runAll(List<Round> rounds, Duration each, int series) {
        Queue<Round> plan = new ArrayDeque<>(rounds);
        List<Thread> threads = new ArrayList<>();
        for (int one = 0; one < series; one++) {
            threads.add(Thread.ofVirtual().start(() -> {
                for (Round next = next(plan); next != null; next = next(plan)) {
                    faults.inject(next.target(), next.fault(), each);
                }
            }));
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private static @Nullable Round next(Queue<Round> plan) {
        synchronized (plan) {
            return plan.poll();
        }
    }

    /** The backends that are not up although their engines are. */
    private List<String> down() {
        return Footprint.scrape(gateway.managementUrl())
                .lines()
                .filter(line -> line.startsWith("switchboard_backend_up{") && !line.endsWith(" 1.0"))
                .map(line -> "after the last probe: " + line)
                .toList();
    }
}
