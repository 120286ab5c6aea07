package switchboard.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import switchboard.testing.GatewayProcess;
import switchboard.testing.PostgresCluster;
import switchboard.testing.chaos.Engines;
import switchboard.testing.chaos.Fault;
import switchboard.testing.chaos.FaultLog;
import switchboard.testing.chaos.Footprint;
import switchboard.testing.chaos.MixedLoad;
import switchboard.testing.chaos.Tally;
import switchboard.testing.chaos.Target;

/**
 * All tools at a share of the capacity that was measured before, for half an hour: teams are read again every minute, and
 * every minute the engine of another backend flaps. Fails when the heap after a full collection has grown by more than a
 * twentieth, a handle, timer, thread or permit is left over, or a call failed that no fault explains. Arguments: minutes
 * (30) and the share (0.7).
 */
final class Soak {
    private static final int CALLERS = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final Duration FLAPPING = Duration.ofSeconds(20);
    private static final int MINUTES_BETWEEN_LOOKS = 5;
    private static final double GROWTH = 0.05;

    private final Engines engines;
    private final GatewayProcess gateway;
    private final FaultLog faults;
    private final Tally tally = new Tally();
    private final List<String> problems = new ArrayList<>();
    private int edition;

    private Soak(Engines engines, GatewayProcess gateway) {
        this.engines = engines;
        this.gateway = gateway;
        this.faults = new FaultLog(engines);
    }

    static void main(String[] arguments) throws Exception {
        int minutes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 30;
        double share = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.7;
        Path folder = Files.createTempDirectory("switchboard-soak");
        List<String> problems;
        try (PostgresCluster cluster = PostgresCluster.alone();
                Engines engines = new Engines(folder, cluster);
                GatewayProcess gateway = engines.indexed(GatewayProcess.lasting(engines.launch("512m")))) {
            problems = new Soak(engines, gateway).run(minutes, share);
        }
        problems.forEach(System.out::println);
        System.out.println(problems.isEmpty() ? "nothing leaks, nothing fails" : problems.size() + " problems");
        System.exit(problems.isEmpty() ? 0 : 1);
    }

    private List<String> run(int minutes, double share) throws Exception {
        asFastAsPossible(WARM_UP);
        Map<String, Double> capacity = asFastAsPossible(MEASURED);
        double all = capacity.values().stream().mapToDouble(Double::doubleValue).sum();
        System.out.printf("capacity: %.0f calls a second: %s%n", all, capacity);
        Map<String, Double> pace = new HashMap<>();
        capacity.forEach((backend, perSecond) -> pace.put(backend, Math.max(0.2, share * perSecond)));
        Footprint first = null;
        Footprint before = Footprint.idle(gateway);
        print(0, before);
        for (int minute = 0; minute < minutes; minute += MINUTES_BETWEEN_LOOKS) {
            int stretch = Math.min(MINUTES_BETWEEN_LOOKS, minutes - minute);
            long calls = tally.total();
            long began = System.nanoTime();
            try (MixedLoad load = new MixedLoad(engines, gateway, CALLERS, tally)) {
                load.pace(pace);
                for (int i = 0; i < stretch; i++) {
                    minute(minute + i);
                }
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            System.out.printf(
                    "%.0f calls a second; %d failures so far, %d kinds of them unexplained%n",
                    (tally.total() - calls) / seconds,
                    tally.failures().size(),
                    faults.unexplained(tally).size());
            Footprint now = Footprint.idle(gateway);
            print(minute + stretch, now);
            first = first == null ? now : first;
            before = now;
        }
        faults.lines(tally).forEach(System.out::println);
        System.out.println("calls: " + tally.calls());
        judge(java.util.Objects.requireNonNull(first), before);
        return problems;
    }

    private void judge(Footprint first, Footprint last) {
        problems.addAll(first.leaks(gateway, System.out));
        double growth = (double) last.heapBytes() / first.heapBytes() - 1;
        System.out.printf("heap after a full collection: %+.1f %%%n", 100 * growth);
        if (growth > GROWTH) {
            problems.add("the heap has grown");
        }
        problems.addAll(faults.unexplained(tally));
    }

    /** Another list of teams, and an engine that flaps for a part of the minute. */
    private void minute(int number) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        engines.writeTeams(++edition);
        Target target = Target.values()[number % Target.values().length];
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
        faults.inject(target, Fault.FLAPPING, FLAPPING);
        if (Footprint.scrape(gateway.managementUrl()).contains("switchboard_teams_reload_failed 1.0")) {
            problems.add("teams could not be read in minute " + number);
        }
        LockSupport.parkNanos(Math.max(0, end - System.nanoTime()));
    }

    private Map<String, Double> asFastAsPossible(Duration duration) {
        Tally measured = new Tally();
        Map<String, Long> answered;
        try (MixedLoad _ = new MixedLoad(engines, gateway, CALLERS, measured)) {
            LockSupport.parkNanos(duration.toNanos());
            answered = measured.answered();
        }
        problems.addAll(faults.unexplained(measured));
        Map<String, Double> perSecond = new HashMap<>();
        answered.forEach((backend, count) -> perSecond.put(backend, (double) count / duration.toSeconds()));
        return perSecond;
    }

    private static void print(int minute, Footprint now) {
        System.out.printf(
                "minute %2d: heap %.1f MB, %d files, %s%n", minute, now.heapBytes() / 1e6, now.files(), now.counts());
    }
}
