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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.concurrent.TeamShare;
import switchboard.store.Namespace;
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

    private final DocumentTables tables;
    private final String backend;
    private final StoreReplica replica;
    private final Libraries libraries;
    private final Follower follower;
    private final SharedWrites writes;
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
     * @param share the part of what calls wait for that one team may use
     */
    public record Settings(
            Vertx vertx,
            MeterRegistry meters,
            Clock clock,
            DocumentTables tables,
            String backend,
            Duration freshness,
            TeamShare share) {}

    private Replication(StoreReplica replica, Settings settings) {
        this.tables = settings.tables();
        this.backend = settings.backend();
        this.replica = replica;
        this.libraries =
                new Libraries(settings.vertx(), tables, backend, settings.freshness(), settings.clock(), this::looked);
        this.follower = new Follower(settings.vertx(), tables, libraries, replica, settings.share());
        this.writes = new SharedWrites(backend, tables, replica, this::wrote, settings.share());
    }

    static Replication of(StoreReplica replica, Settings settings) {
        Replication made = new Replication(replica, settings);
        Gauge.builder(MetricNames.STORE_BEHIND, made.follower, Follower::behind)
                .description("Changes that this node's files of shared libraries lack, as last looked")
                .tag("store", settings.backend())
                .register(settings.meters());
        settings.tables().listen(settings.backend(), made::poll);
        return made;
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
        namespaces.stream().filter(follower::late).forEach(this::follow);
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

    /** See {@link switchboard.store.DocumentStore#starting}. */
    Optional<String> starting() {
        if (started) {
            return Optional.empty();
        }
        if (!libraries.read()) {
            return Optional.of("waits for the database that the gateways share");
        }
        long left = libraries.namespaces().stream()
                .filter(namespace -> !follower.complete(namespace))
                .count();
        started = left == 0;
        return started
                ? Optional.empty()
                : Optional.of("builds its files from the shared database: " + left + " of "
                        + libraries.namespaces().size() + " left");
    }

    /** See {@link switchboard.store.DocumentStore#refresh}. */
    Future<Void> refresh() {
        return libraries.refresh();
    }

    /** Looks what became of a namespace; completes in any case. */
    Future<Void> look(Namespace namespace) {
        return Futures.here(
                libraries.look().compose(_ -> follower.follow(namespace)).otherwiseEmpty());
    }

    /** Completes when this node's files have a change, or after a while: the change is made in any case. */
    private Future<Void> wrote(LibraryRow library) {
        libraries.wrote(library);
        Namespace namespace = Libraries.namespace(library);
        return Futures.here(until(Map.of(namespace, library), System.nanoTime() + WAIT.toNanos()));
    }

    /** Completes when the files have what {@code wanted} says, or can't have it in time. */
    private Future<Void> until(Map<Namespace, LibraryRow> wanted, long end) {
        List<Namespace> late = wanted.keySet().stream()
                .filter(namespace -> lacks(namespace, wanted))
                .toList();
        long left = end - System.nanoTime();
        if (late.isEmpty() || left <= 0) {
            return Future.succeededFuture();
        }
        Future<?> followed = Future.join(late.stream().map(follower::follow).toList());
        return followed.timeout(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)), TimeUnit.MILLISECONDS)
                .transform(done -> done.succeeded() ? until(wanted, end) : Future.succeededFuture());
    }

    private boolean lacks(Namespace namespace, Map<Namespace, LibraryRow> wanted) {
        LibraryRow library = Objects.requireNonNull(wanted.get(namespace));
        return libraries
                .find(namespace)
                .filter(now -> now.incarnation().equals(library.incarnation()))
                .filter(_ -> !follower.has(library))
                .isPresent();
    }

    /**
     * A read of {@code namespaces}. It runs again if files that it read were begun anew meanwhile, or are damaged.
     *
     * @param read gets what can be read
     */
    <T> Future<T> reading(Collection<Namespace> namespaces, Function<Readable, Future<T>> read) {
        if (!libraries.read()) {
            return libraries.refresh().compose(_ -> reading(namespaces, read, RETRIES));
        }
        return reading(namespaces, read, RETRIES);
    }

    private <T> Future<T> reading(Collection<Namespace> namespaces, Function<Readable, Future<T>> read, int left) {
        Map<Namespace, LibraryRow> wanted = new HashMap<>();
        namespaces.forEach(namespace -> libraries.find(namespace).ifPresent(library -> wanted.put(namespace, library)));
        return Futures.here(until(wanted, System.nanoTime() + WAIT.toNanos())).compose(_ -> {
            Map<Namespace, Integer> before = builds(wanted.keySet());
            Readable ready = readable(wanted);
            return read.apply(ready).transform(done -> {
                boolean whole = ready.usable().stream().allMatch(follower::complete); // a read notices damage
                if (whole && builds(wanted.keySet()).equals(before)) {
                    return done.succeeded() ? Future.succeededFuture(done.result()) : Future.failedFuture(done.cause());
                }
                return left > 0
                        ? reading(namespaces, read, left - 1)
                        : Future.failedFuture(new ToolException(
                                FailureKind.UNAVAILABLE, "It can't be read now: " + Readable.BEING_BUILT + "."));
            });
        });
    }

    private Map<Namespace, Integer> builds(Collection<Namespace> namespaces) {
        Map<Namespace, Integer> builds = new HashMap<>();
        namespaces.forEach(namespace -> builds.put(namespace, follower.builds(namespace)));
        return builds;
    }

    private Readable readable(Map<Namespace, LibraryRow> wanted) {
        List<Namespace> there = wanted.keySet().stream()
                .filter(namespace -> libraries.find(namespace).isPresent())
                .sorted()
                .toList();
        List<Namespace> usable = there.stream().filter(follower::complete).toList();
        return new Readable(
                usable,
                there.stream().filter(one -> !usable.contains(one)).toList(),
                usable.stream().filter(one -> lacks(one, wanted)).toList(),
                libraries.away().orElse(null));
    }

    /** Follows no more. */
    Future<Void> close() {
        tables.ignore(backend);
        return follower.close();
    }
}
