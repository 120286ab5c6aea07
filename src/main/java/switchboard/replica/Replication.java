package switchboard.replica;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Lifetime;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.concurrent.TeamShare;
import switchboard.store.Namespace;
import switchboard.store.ReplicaPosition;
import switchboard.store.ReplicaState;
import switchboard.store.StoreReplica;
import switchboard.telemetry.MetricNames;

/** Keeps the files of one backend like the shared database. Thread-safe. */
public final class Replication {
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    /** A read or a change waits so long for this node's files. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    /** All libraries are compared so often, because an older state may have been read after a newer one. */
    private static final long COMPARE_ALL_NANOS = Duration.ofSeconds(30).toNanos();

    /** The files of all libraries are looked at so often, because following may have failed. */
    private static final long PASS_NANOS = Duration.ofSeconds(2).toNanos();

    private static final int RETRIES = 3;

    /** Work that was shared may have begun before, so one round without a change does not mean that there is none. */
    private static final int MOST_IDLE = 1;

    private final DocumentTables tables;
    private final String backend;
    private final StoreReplica replica;
    private final Predicate<String> warm;
    private final Libraries libraries;
    private final Lateness lateness;
    private final Follower follower;
    private final SharedWrites writes;
    private final LeasedTurns turns;
    private final Set<Namespace> failing = ConcurrentHashMap.newKeySet();
    private volatile long lastCompared = System.nanoTime();
    private volatile long lastPass = System.nanoTime() - PASS_NANOS;

    /** Whether the files of all libraries were once complete: those that others make later are small at first. */
    private volatile boolean started;

    /**
     * What replication needs.
     *
     * @param tables the shared documents
     * @param backend the backend's id: backends of the same id share documents
     * @param freshness how old what a read sees may be
     * @param warm names of libraries whose files are built at the start; the others' when they are first used
     * @param share the part of what calls wait for that one team may use
     */
    public record Settings(
            Vertx vertx,
            MeterRegistry meters,
            Clock clock,
            DocumentTables tables,
            String backend,
            Duration freshness,
            Predicate<String> warm,
            TeamShare share) {}

    private Replication(StoreReplica replica, Settings settings) {
        this.tables = settings.tables();
        this.backend = settings.backend();
        this.replica = replica;
        this.warm = settings.warm();
        this.lateness = new Lateness(settings.clock());
        this.libraries =
                new Libraries(settings.vertx(), tables, backend, settings.freshness(), settings.clock(), this::looked);
        this.follower = new Follower(settings.vertx(), tables, libraries, replica, lateness, settings.share());
        this.writes = new SharedWrites(backend, tables, replica, this::wrote, settings.share());
        this.turns = new LeasedTurns(settings.vertx(), tables.jobs());
    }

    static Replication of(StoreReplica replica, Settings settings) {
        Replication made = new Replication(replica, settings);
        made.measure(settings.meters());
        settings.tables().listen(settings.backend(), made::poll);
        return made;
    }

    private void measure(MeterRegistry meters) {
        Gauge.builder(MetricNames.STORE_BEHIND, this, Replication::behind)
                .description("Changes that this node's files of shared libraries lack, as last looked")
                .tag("store", backend)
                .register(meters);
        Gauge.builder(MetricNames.STORE_LAG, this, one -> one.late().toMillis() / 1000.0)
                .description("How old the oldest change is that this node's files of shared libraries lack")
                .baseUnit("seconds")
                .tag("store", backend)
                .register(meters);
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
        Duration lacking = lateness.longest();
        return away.compareTo(lacking) > 0 ? away : lacking;
    }

    /** Whether files of a library are kept up to date here: from the start, or since it was first used. */
    private boolean kept(Namespace namespace) {
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
        return new ReplicaState(namespace, all - behind, behind, late, words);
    }

    private BuildProgress.BuiltPart part(Namespace namespace) {
        return follower.building(namespace).orElse(new BuildProgress.BuiltPart(0, 0));
    }

    /** Looks, because something may have changed. */
    private void poll() {
        long now = System.nanoTime();
        if (now - lastCompared >= COMPARE_ALL_NANOS) {
            lastCompared = now;
            libraries.compareAll();
        }
        Futures.finish(libraries.look(), _ -> pass(now), failure -> LOG.debug("{}: no look", backend, failure));
    }

    private void pass(long now) {
        if (now - lastPass >= PASS_NANOS) {
            lastPass = now;
            looked(libraries.namespaces());
            looked(replica.namespaces());
        }
    }

    /** Follows what a look has found. */
    private void looked(Collection<Namespace> namespaces) {
        namespaces.stream().filter(this::kept).filter(follower::late).forEach(namespace -> {
            libraries
                    .find(namespace)
                    .ifPresent(row -> lateness.noticed(namespace, row.head().changed()));
            follow(namespace);
        });
    }

    private void follow(Namespace namespace) {
        Futures.finish(
                follower.follow(namespace), _ -> failing.remove(namespace), failure -> failed(namespace, failure));
    }

    /** Tells operators once of what does not end by itself. */
    private void failed(Namespace namespace, Throwable failure) {
        LOG.debug("{}: {} is followed later", backend, namespace.name(), failure);
        if (!(failure instanceof ClusterUnavailableException) && !follower.closed() && failing.add(namespace)) {
            LOG.warn(
                    "{}: the files of {} can't follow the shared database, and this is tried again: {}",
                    backend,
                    namespace.name(),
                    failure.toString());
        }
    }

    SharedWrites writes() {
        return writes;
    }

    List<Namespace> namespaces() {
        return libraries.namespaces();
    }

    /** A turn of this node to work on something alone. */
    Future<LeasedTurn> turn(DocumentTables.Place place, Lifetime lifetime) {
        return turns.take(place, lifetime);
    }

    /** Looks in any case; fails if the database can't be read. */
    Future<Void> lookNow() {
        return Futures.here(libraries.look().recover(failure -> Future.failedFuture(SharedWrites.told(failure))));
    }

    /** Names how far the files of a namespace follow. */
    String filesAt(Namespace namespace) {
        return replica.position(namespace).map(String::valueOf).orElse("");
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
        return new BuildProgress.BuiltPart(
                        parts.stream().mapToLong(BuildProgress.BuiltPart::done).sum(),
                        parts.stream().mapToLong(BuildProgress.BuiltPart::total).sum())
                .counted();
    }

    /** See {@link switchboard.store.DocumentStore#refresh}. */
    Future<Void> refresh() {
        return libraries.refresh();
    }

    /** Looks what became of a namespace; completes in any case, after a while. */
    Future<Void> look(Namespace namespace) {
        return Futures.here(libraries
                .look()
                .compose(_ -> follower.follow(namespace))
                .timeout(WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty());
    }

    /** Completes when this node's files have a change, or after a while: the change is made in any case. */
    private Future<Void> wrote(LibraryRow library) {
        long end = System.nanoTime() + WAIT.toNanos();
        Future<Void> known = libraries.wrote(library)
                ? Future.succeededFuture()
                : libraries
                        .look()
                        .timeout(WAIT.toMillis(), TimeUnit.MILLISECONDS)
                        .otherwiseEmpty();
        return Futures.here(known.compose(_ -> until(Map.of(Libraries.namespace(library), library), end, 0)));
    }

    /** Completes when the files have what {@code wanted} says, or can't have it in time. */
    private Future<Void> until(Map<Namespace, LibraryRow> wanted, long end, int idle) {
        List<Namespace> late = wanted.keySet().stream()
                .filter(namespace -> lacks(namespace, wanted))
                .toList();
        long left = end - System.nanoTime();
        if (late.isEmpty() || left <= 0 || idle > MOST_IDLE) {
            return Future.succeededFuture();
        }
        Map<Namespace, Optional<ReplicaPosition>> before = positions(late);
        Future<?> followed = Future.join(late.stream().map(follower::follow).toList());
        return followed.timeout(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)), TimeUnit.MILLISECONDS)
                .transform(done -> done.succeeded()
                        ? until(wanted, end, positions(late).equals(before) ? idle + 1 : 0)
                        : Future.succeededFuture());
    }

    private Map<Namespace, Optional<ReplicaPosition>> positions(List<Namespace> namespaces) {
        Map<Namespace, Optional<ReplicaPosition>> positions = new HashMap<>();
        namespaces.forEach(namespace -> positions.put(namespace, replica.position(namespace)));
        return positions;
    }

    /** Whether the files lack what is wanted; what a fail-over has lost nobody can have. */
    private boolean lacks(Namespace namespace, Map<Namespace, LibraryRow> wanted) {
        LibraryRow library = Objects.requireNonNull(wanted.get(namespace));
        return libraries
                .find(namespace)
                .filter(now -> now.incarnation().equals(library.incarnation()))
                .map(now -> now.head().position() < library.head().position() ? now : library)
                .filter(there -> !follower.has(there))
                .isPresent();
    }

    /**
     * A read of {@code namespaces}. It runs again if files that it read were begun anew meanwhile, or are damaged.
     *
     * @param counted whether the reader may know how many documents there are
     * @param read gets what can be read
     */
    <T> Future<T> reading(Collection<Namespace> namespaces, boolean counted, Function<Readable, Future<T>> read) {
        return libraries.read()
                ? reading(namespaces, counted, read, RETRIES)
                : libraries.refresh().compose(_ -> reading(namespaces, counted, read, RETRIES));
    }

    private <T> Future<T> reading(
            Collection<Namespace> namespaces, boolean counted, Function<Readable, Future<T>> read, int left) {
        Map<Namespace, LibraryRow> wanted = new HashMap<>();
        namespaces.forEach(namespace -> libraries.find(namespace).ifPresent(library -> wanted.put(namespace, library)));
        return Futures.here(until(wanted, System.nanoTime() + WAIT.toNanos(), 0))
                .compose(_ -> {
                    Map<Namespace, Integer> before = builds(wanted.keySet());
                    Readable ready = readable(wanted, counted);
                    return read.apply(ready).transform(done -> {
                        boolean whole = ready.usable().stream().allMatch(follower::complete); // a read notices damage
                        if (whole && builds(wanted.keySet()).equals(before)) {
                            return done.succeeded()
                                    ? Future.succeededFuture(done.result())
                                    : Future.failedFuture(done.cause());
                        }
                        return left > 0
                                ? reading(namespaces, counted, read, left - 1)
                                : Future.failedFuture(Readable.beingBuilt(""));
                    });
                });
    }

    private Map<Namespace, Integer> builds(Collection<Namespace> namespaces) {
        Map<Namespace, Integer> builds = new HashMap<>();
        namespaces.forEach(namespace -> builds.put(namespace, follower.builds(namespace)));
        return builds;
    }

    private Readable readable(Map<Namespace, LibraryRow> wanted, boolean counted) {
        List<Namespace> there = wanted.keySet().stream()
                .filter(namespace -> libraries.find(namespace).isPresent())
                .sorted()
                .toList();
        List<Namespace> usable = there.stream().filter(follower::complete).toList();
        SortedMap<Namespace, String> building = new TreeMap<>();
        there.stream()
                .filter(one -> !usable.contains(one))
                .forEach(one -> building.put(
                        one, counted ? part(one).counted() : part(one).percent()));
        return new Readable(
                usable,
                building,
                usable.stream().filter(one -> lacks(one, wanted)).toList(),
                libraries.away().orElse(null));
    }

    /** Follows no more. */
    Future<Void> close() {
        tables.ignore(backend);
        return follower.close();
    }
}
