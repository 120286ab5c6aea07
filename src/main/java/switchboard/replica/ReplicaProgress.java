package switchboard.replica;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import switchboard.store.Namespace;
import switchboard.store.ReplicaState;
import switchboard.store.StoreReplica;
import switchboard.telemetry.MetricNames;

/** What is told of how far this node's files of shared libraries are. Thread-safe. */
final class ReplicaProgress {
    private final Predicate<String> warm;
    private final Libraries libraries;
    private final Lateness lateness;
    private final Follower follower;
    private final StoreReplica replica;

    /** Whether the files of all libraries were once complete: those that others make later are small at first. */
    private volatile boolean started;

    /**
     * Progress.
     *
     * @param warm names of libraries whose files are built at the start
     */
    ReplicaProgress(
            Predicate<String> warm, Libraries libraries, Lateness lateness, Follower follower, StoreReplica replica) {
        this.warm = warm;
        this.libraries = libraries;
        this.lateness = lateness;
        this.follower = follower;
        this.replica = replica;
    }

    /** Shows it as metrics. */
    void measure(String backend, MeterRegistry meters) {
        Gauge.builder(MetricNames.STORE_BEHIND, this, ReplicaProgress::behind)
                .description("Changes that this node's files of shared libraries lack, as last looked")
                .tag("store", backend)
                .register(meters);
        Gauge.builder(MetricNames.STORE_LAG, this, ReplicaProgress::lag)
                .description("How old the oldest change is that this node's files of shared libraries lack")
                .baseUnit("seconds")
                .tag("store", backend)
                .register(meters);
    }

    /** Nobody knows before the database was read once. */
    private double lag() {
        return libraries.read() ? late().toMillis() / 1000.0 : Double.NaN;
    }

    private long behind() {
        return libraries.namespaces().stream()
                .filter(this::kept)
                .mapToLong(follower::behind)
                .sum();
    }

    /** While the database can't be read, nobody knows what is lacking since the last look. */
    private Duration late() {
        Duration away = libraries.away().map(lateness::until).orElse(Duration.ZERO);
        Duration lacking = libraries.namespaces().stream()
                .filter(this::kept)
                .filter(follower::late)
                .map(lateness::of)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return away.compareTo(lacking) > 0 ? away : lacking;
    }

    /** Whether files of a library are kept up to date here: from the start, or since it was first used. */
    boolean kept(Namespace namespace) {
        return warm.test(namespace.name()) || replica.exists(namespace);
    }

    /** How far the files of each library are. */
    List<ReplicaState> states() {
        return libraries.namespaces().stream().map(this::state).toList();
    }

    private ReplicaState state(Namespace namespace) {
        long behind = follower.behind(namespace);
        Duration late = lateness.of(namespace);
        long all = libraries.find(namespace).map(row -> row.head().position()).orElse(0L);
        String words;
        if (!kept(namespace)) {
            words = "no files yet: the first call that uses it builds them (warm)";
        } else if (!follower.complete(namespace)) {
            words = "its files are being built: " + part(namespace).counted();
        } else {
            words = behind == 0
                    ? "has all changes of the shared database, " + all
                    : "lacks " + behind + " of " + all + " changes of the shared database, for " + late.toSeconds()
                            + " s";
        }
        return new ReplicaState(namespace, all - behind, behind, late, !follower.complete(namespace), words);
    }

    /** What of a library that is being built is in its files. */
    BuildProgress.BuiltPart part(Namespace namespace) {
        return follower.building(namespace)
                .orElseGet(() -> new BuildProgress.BuiltPart(replica.documents(namespace), 0, false));
    }

    /** See {@link switchboard.store.DocumentStore#starting}. */
    Optional<String> starting() {
        if (started) {
            return Optional.empty();
        }
        if (!libraries.read()) {
            return Optional.of("waits for the database that the gateways share");
        }
        List<Namespace> wanted = libraries.namespaces().stream()
                .filter(namespace -> warm.test(namespace.name()))
                .toList();
        List<Namespace> left = wanted.stream()
                .filter(namespace -> !follower.complete(namespace))
                .toList();
        started = left.isEmpty();
        return started
                ? Optional.empty()
                : Optional.of("builds its files from the shared database: " + left.size() + " of " + wanted.size()
                        + " libraries left, " + documents(left));
    }

    private String documents(List<Namespace> building) {
        List<BuildProgress.BuiltPart> parts = building.stream().map(this::part).toList();
        boolean known = parts.stream().allMatch(part -> part.total() > 0);
        return new BuildProgress.BuiltPart(
                        parts.stream().mapToLong(BuildProgress.BuiltPart::done).sum(),
                        known
                                ? parts.stream()
                                        .mapToLong(BuildProgress.BuiltPart::total)
                                        .sum()
                                : 0,
                        true)
                .counted();
    }
}
