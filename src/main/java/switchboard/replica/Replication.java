package switchboard.replica;

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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Lifetime;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.store.Namespace;
import switchboard.store.ReplicaPosition;
import switchboard.store.StoreReplica;

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

    /** So many commands may wait until another one has computed vectors. */
    private static final int MOST_REINDEXING = 4;

    private static final long AGAIN_MS = 100;

    /** Work that was shared may have begun before, so one round without a change does not mean that there is none. */
    private static final int MOST_IDLE = 1;

    private final Vertx vertx;
    private final DocumentTables tables;
    private final String backend;
    private final StoreReplica replica;
    private final Libraries libraries;
    private final Lateness lateness;
    private final Follower follower;
    private final ReplicaProgress progress;
    private final Optional<EngineChunks> chunks;
    private final SharedWrites writes;
    private final LeasedTurns turns;
    private final FairSemaphore reindexing;
    private final Set<Namespace> failing = ConcurrentHashMap.newKeySet();
    private volatile long lastCompared = System.nanoTime();
    private volatile long lastPass = System.nanoTime() - PASS_NANOS;

    /**
     * What replication needs.
     *
     * @param tables the shared documents
     * @param backend the backend's id: backends of the same id share documents
     * @param following how the files follow
     * @param share the part of what calls wait for that one team may use
     * @param changed gets the libraries whose documents have changed, here or elsewhere; called on any thread, must not block
     */
    public record Settings(
            Vertx vertx,
            MeterRegistry meters,
            Clock clock,
            DocumentTables tables,
            String backend,
            Following following,
            TeamShare share,
            Consumer<Namespace> changed) {}

    /**
     * How files follow the database.
     *
     * @param freshness how old what a read sees may be
     * @param warm names of libraries whose files are built at the start; the others' when they are first used
     * @param engine keeps the chunks of documents; empty if rows and files have them
     */
    public record Following(Duration freshness, Predicate<String> warm, Optional<ChunkEngine> engine) {}

    private Replication(StoreReplica replica, Settings settings) {
        this.vertx = settings.vertx();
        this.tables = settings.tables();
        this.backend = settings.backend();
        this.replica = replica;
        this.lateness = new Lateness(settings.clock());
        this.libraries = new Libraries(
                settings.vertx(),
                tables,
                backend,
                settings.following().freshness(),
                settings.clock(),
                new Libraries.Listener(this::looked, settings.changed()));
        this.chunks = settings.following()
                .engine()
                .map(engine -> new EngineChunks(settings.vertx(), backend, engine, tables.unusedChunks(), replica));
        Follower.FilesContent content =
                new Follower.FilesContent(chunks.isPresent(), chunks.isPresent() ? tables::facts : tables::documents);
        this.follower = new Follower(settings.vertx(), tables, content, libraries, replica, lateness, settings.share());
        this.progress = new ReplicaProgress(settings.following().warm(), libraries, lateness, follower, replica);
        this.writes = new SharedWrites(
                backend,
                tables,
                replica,
                this::wrote,
                chunks.<ChunkPlace>map(engine -> engine).orElse(ChunkPlace.ROWS),
                settings.share());
        this.turns = new LeasedTurns(settings.vertx(), tables.jobs());
        this.reindexing = new FairSemaphore(1, MOST_REINDEXING, settings.share());
    }

    static Replication of(StoreReplica replica, Settings settings) {
        Replication made = new Replication(replica, settings);
        made.progress.measure(settings.backend(), settings.meters());
        settings.tables().listen(settings.backend(), made::poll);
        return made;
    }

    /**
     * Looks, because something may have changed.
     *
     * @param missed whether notices may have been lost: the server may have been started again, and give numbers of transactions again
     *     that it had given before
     */
    private void poll(boolean missed) {
        long now = System.nanoTime();
        if (missed || now - lastCompared >= COMPARE_ALL_NANOS) {
            lastCompared = now;
            libraries.compareAll();
            failing.removeIf(namespace -> !follower.late(namespace));
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
        for (Namespace namespace : namespaces) {
            if (!follower.late(namespace)) {
                lateness.none(namespace);
            } else if (progress.kept(namespace)) {
                noticed(namespace);
                follow(namespace);
            }
        }
    }

    /** Files that were never complete lack everything, however long ago that was changed. */
    private void noticed(Namespace namespace) {
        Optional<LibraryRow> library = libraries.find(namespace);
        if (library.isEmpty()) {
            lateness.none(namespace);
        } else if (follower.complete(namespace)) {
            lateness.noticed(namespace, library.get().head().changed());
        } else {
            lateness.noticedAll(namespace);
        }
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

    ReplicaProgress progress() {
        return progress;
    }

    /** Chunks in an engine, if they are in one. */
    Optional<EngineChunks> chunks() {
        return chunks;
    }

    /** A library in the database, as of the last look. */
    Optional<LibraryRow> library(Namespace namespace) {
        return libraries.find(namespace);
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

    /** For what one run at a time does here: a turn of this node would end another one of the same. */
    FairSemaphore reindexing() {
        return reindexing;
    }

    /** Looks in any case; fails if the database can't be read. */
    Future<Void> lookNow() {
        return Futures.here(libraries.look().recover(failure -> Future.failedFuture(SharedWrites.told(failure))));
    }

    /** Names how far the files of a namespace follow. */
    String filesAt(Namespace namespace) {
        return replica.position(namespace).map(String::valueOf).orElse("");
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
                .transform(done -> {
                    if (done.succeeded()) {
                        return until(wanted, end, positions(late).equals(before) ? idle + 1 : 0);
                    }
                    // A connection may have broken, as after a pause of this process.
                    return done.cause() instanceof ClusterUnavailableException
                                    && libraries.away().isEmpty()
                            ? vertx.timer(AGAIN_MS, TimeUnit.MILLISECONDS).compose(_ -> until(wanted, end, 0))
                            : Future.succeededFuture();
                });
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
                        one,
                        counted
                                ? progress.part(one).counted()
                                : progress.part(one).percent()));
        return new Readable(
                usable,
                building,
                usable.stream().filter(one -> lacks(one, wanted)).toList(),
                libraries.away().orElse(null));
    }

    /** Follows no more. */
    Future<Void> close() {
        tables.ignore(backend);
        return turns.close().eventually(follower::close).eventually(() -> chunks.map(EngineChunks::close)
                .orElse(Future.succeededFuture()));
    }
}
