package switchboard.replica;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.cluster.ChangeRow;
import switchboard.cluster.DocumentRow;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.replica.FollowTurns.FollowStep;
import switchboard.store.DocumentForm;
import switchboard.store.Namespace;
import switchboard.store.ReplicaPosition;
import switchboard.store.StoreReplica;
import switchboard.store.StoreReplica.Followed;

/**
 * Brings this node's files of libraries up to date: changes in their order, or all documents where the files lack too much, follow
 * another library of the same name, or are damaged. Each library by one piece of work at a time. Thread-safe.
 */
final class Follower {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final HexFormat HEX = HexFormat.of();

    /** About the most bytes that are read at once; a larger document is read alone. */
    private static final int BYTES = 4 << 20;

    private static final int FOLLOWING = 4;
    private static final int BUILDING = 2;

    /** So many pages of changes are followed before other libraries have their turns. */
    private static final int PAGES = 16;

    private static final int MOST_WAITING = 100_000;

    /** So many counters there are, however many libraries come and go. */
    private static final int COUNTED = 1024;

    /** Files that can't be followed are built anew so often before that fails. */
    private static final int REBUILDS = 3;

    private final DocumentTables tables;
    private final FilesContent content;
    private final Libraries libraries;
    private final StoreReplica replica;
    private final Lateness lateness;
    private final BuildProgress progress;
    private final Context context;
    private final FairSemaphore following;
    private final FairSemaphore building;
    private final Map<Namespace, Future<Void>> running = new ConcurrentHashMap<>();
    private final AtomicIntegerArray builds = new AtomicIntegerArray(COUNTED);

    /** How many looks had begun when the files got what they have: those could not see all of it. */
    private final Map<Namespace, Long> reached = new ConcurrentHashMap<>();

    /** Those whose files are being removed. */
    private final Set<Namespace> forgetting = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** Reads what the files get of documents. */
    @FunctionalInterface
    interface RowReader {
        /** The documents of a library with these keys. */
        Future<List<DocumentRow>> documents(long library, List<byte[]> keys);
    }

    /**
     * What the files have of documents.
     *
     * @param facts whether that is only what is known of them, because an engine has the rest
     * @param reader reads it
     */
    record FilesContent(boolean facts, RowReader reader) {}

    Follower(
            Vertx vertx,
            DocumentTables tables,
            FilesContent content,
            Libraries libraries,
            StoreReplica replica,
            Lateness lateness,
            TeamShare share) {
        this.tables = tables;
        this.content = content;
        this.libraries = libraries;
        this.replica = replica;
        this.lateness = lateness;
        this.progress = new BuildProgress(replica);
        this.context = ((VertxInternal) vertx).createEventLoopContext(); // not that of a call, which has a team
        this.following = new FairSemaphore(FOLLOWING, MOST_WAITING, share);
        this.building = new FairSemaphore(BUILDING, MOST_WAITING, share);
    }

    /** Whether the files have all of {@code library}, and its changes up to the head that it has. */
    boolean has(LibraryRow library) {
        return usable(Libraries.namespace(library), library)
                .filter(files -> files.position() > library.head().position() || same(files, library.head()))
                .isPresent();
    }

    /** Whether the files have all documents of a library as of some time. */
    boolean complete(Namespace namespace) {
        return libraries
                .find(namespace)
                .flatMap(library -> usable(namespace, library))
                .isPresent();
    }

    private Optional<ReplicaPosition> usable(Namespace namespace, LibraryRow library) {
        return replica.position(namespace)
                .filter(files -> files.complete() && of(files, library) && !forgetting.contains(namespace))
                .filter(files -> !lost(namespace, files));
    }

    /** Whether the files have changes that the database has lost: a later look has found an older or another change as its newest. */
    private boolean lost(Namespace namespace, ReplicaPosition files) {
        return libraries
                .foundAfter(namespace, reached.getOrDefault(namespace, 0L))
                .filter(library -> of(files, library)
                        && files.position() >= library.head().position()
                        && !same(files, library.head()))
                .isPresent();
    }

    private boolean of(ReplicaPosition files, LibraryRow library) {
        return files.library().equals(followed(library));
    }

    private static boolean same(ReplicaPosition files, LibraryRow.Head head) {
        return files.position() == head.position() && files.operation().equals(String.valueOf(head.operation()));
    }

    /** Whether anything is to be done for a namespace. */
    boolean late(Namespace namespace) {
        return libraries
                .find(namespace)
                .map(library -> !replica.position(namespace)
                        .filter(files -> files.complete() && of(files, library) && same(files, library.head()))
                        .isPresent())
                .orElseGet(() -> replica.exists(namespace));
    }

    /** How often the files were begun anew; those of a few other libraries count, too. */
    int builds(Namespace namespace) {
        return builds.get(counter(namespace));
    }

    private static int counter(Namespace namespace) {
        return Math.floorMod(namespace.hashCode(), COUNTED);
    }

    /** How many changes the files of a namespace lack, as far as is known. */
    long behind(Namespace namespace) {
        long have = replica.position(namespace)
                .filter(ReplicaPosition::complete)
                .map(ReplicaPosition::position)
                .orElse(0L);
        return libraries
                .find(namespace)
                .map(library -> Math.max(0, library.head().position() - have))
                .orElse(0L);
    }

    /** How far files are that are being built. */
    Optional<BuildProgress.BuiltPart> building(Namespace namespace) {
        return progress.of(namespace);
    }

    boolean closed() {
        return closed;
    }

    /** Begins no more work. Completes when what is under way is done. */
    Future<Void> close() {
        closed = true;
        return Future.join(List.copyOf(running.values())).transform(_ -> Future.succeededFuture());
    }

    /** Brings the files of a namespace up to date. Work that is under way is shared, and may have begun before. */
    Future<Void> follow(Namespace namespace) {
        Promise<Void> mine = Promise.promise();
        Future<Void> other = running.putIfAbsent(namespace, mine.future());
        if (other != null) {
            return other;
        }
        // On a context of its own, because it is no team's work.
        AtomicInteger begun = new AtomicInteger();
        FollowTurns turns = new FollowTurns(context, () -> turn(namespace), () -> step(namespace, begun));
        Futures.settle(
                turns.run(),
                over -> {
                    running.remove(namespace);
                    mine.handle(over);
                },
                mine::tryFail);
        return mine.future();
    }

    private FollowTurns.Turn turn(Namespace namespace) {
        return complete(namespace)
                ? new FollowTurns.Turn(following, PAGES)
                : new FollowTurns.Turn(building, Integer.MAX_VALUE);
    }

    /** Does the next piece of work; {@code begun} counts the new files that were begun. */
    private Future<FollowStep> step(Namespace namespace, AtomicInteger begun) {
        if (closed) {
            return Future.failedFuture("the store is closing");
        }
        Optional<LibraryRow> library = libraries.find(namespace);
        if (library.isEmpty()) {
            lateness.none(namespace);
            return (replica.exists(namespace) ? forget(namespace) : Future.<Void>succeededFuture())
                    .map(Futures.also(_ -> reached.remove(namespace)))
                    .map(FollowStep.DONE);
        }
        Optional<ReplicaPosition> files = replica.position(namespace);
        if (files.isEmpty() || !of(files.get(), library.get())) {
            return begun.getAndIncrement() < REBUILDS
                    ? begin(namespace, library.get()).map(done -> done ? FollowStep.ANEW : FollowStep.DONE)
                    : Future.failedFuture("the files of " + namespace.name() + " can't be built");
        }
        if (!files.get().complete()) {
            return counted(namespace, library.get())
                    .compose(_ -> build(namespace, library.get(), files.get()))
                    .map(FollowStep.MORE);
        }
        if (same(files.get(), library.get().head())) {
            lateness.none(namespace);
            return Future.succeededFuture(FollowStep.DONE);
        }
        return tables.changes(library.get().id(), Math.max(1, files.get().position()))
                .compose(changes -> followed(namespace, library.get(), files.get(), changes))
                .compose(step -> {
                    if (step != FollowStep.ANEW) {
                        return Future.succeededFuture(step);
                    }
                    LOG.info("{}: its files do not follow the library any more; they are built anew", namespace.name());
                    return forget(namespace).map(step);
                });
    }

    private Future<Void> forget(Namespace namespace) {
        forgetting.add(namespace);
        builds.incrementAndGet(counter(namespace));
        progress.forget(namespace);
        return replica.forget(namespace).andThen(_ -> forgetting.remove(namespace));
    }

    /** Writes what was read before. */
    private Future<Void> apply(Namespace namespace, ReplicaPosition position, List<Followed> changes) {
        reached.put(namespace, libraries.looks());
        return replica.apply(namespace, position, changes);
    }

    /** Begins new files; false if the library was dropped meanwhile. */
    private Future<Boolean> begin(Namespace namespace, LibraryRow known) {
        Future<Void> gone = replica.exists(namespace) ? forget(namespace) : replica.forget(namespace);
        return gone.compose(_ -> tables.library(known.id())).compose(now -> {
            if (now.isEmpty() || !now.get().incarnation().equals(known.incarnation())) {
                libraries.compareAll(); // what is known may be older than what a look has left out
                return libraries.look().map(false);
            }
            LibraryRow library = now.get();
            return apply(namespace, position(library, library.head()).built(""), List.of())
                    .map(true);
        });
    }

    /** Names the library and what the files have of it: those with other parts are built anew. */
    private String followed(LibraryRow library) {
        return library.incarnation() + (content.facts() ? " facts" : "");
    }

    private ReplicaPosition position(LibraryRow library, LibraryRow.Head head) {
        return new ReplicaPosition(
                followed(library), head.position(), String.valueOf(head.operation()), head.changed(), null);
    }

    /** Before the first documents of a build, also after a start. */
    private Future<?> counted(Namespace namespace, LibraryRow library) {
        if (progress.counted(namespace)) {
            return Future.succeededFuture();
        }
        if (!progress.begun(namespace)) {
            lateness.lacksAll(namespace);
        }
        return tables.count(library.id()).otherwise(0L).map(Futures.also(total -> progress.begin(namespace, total)));
    }

    /** Reads the next documents. What changes meanwhile is among the changes that follow. */
    private Future<Void> build(Namespace namespace, LibraryRow library, ReplicaPosition files) {
        byte[] after = HEX.parseHex(String.valueOf(files.built()));
        return tables.keys(library.id(), after).compose(page -> {
            if (page.isEmpty()) {
                return apply(namespace, files.built(null), List.of())
                        .map(Futures.also(_ -> progress.complete(namespace)));
            }
            List<byte[]> keys = new ArrayList<>();
            long bytes = 0;
            for (DocumentTables.Key one : page) {
                bytes += one.size();
                if (!keys.isEmpty() && bytes > BYTES) {
                    break;
                }
                keys.add(one.key());
            }
            return content.reader()
                    .documents(library.id(), keys)
                    .compose(rows -> apply(
                            namespace,
                            files.built(HEX.formatHex(keys.getLast())),
                            rows.stream().<Followed>map(this::present).toList()))
                    .map(Futures.also(_ -> progress.went(namespace)));
        });
    }

    private Followed.Present present(DocumentRow row) {
        DocumentRow.Body body = row.body();
        if (!content.facts() && body.vectors().length == 0 && DocumentForm.inEngine(body.facts())) {
            throw new IllegalStateException(
                    "its chunks are in Weaviate (store: weaviate on another gateway, or earlier);"
                            + " this gateway has store: cluster");
        }
        return new Followed.Present(new DocumentForm(body.facts(), body.text(), body.chunks(), body.vectors()));
    }

    private Future<FollowStep> followed(
            Namespace namespace, LibraryRow library, ReplicaPosition files, List<ChangeRow> changes) {
        if (changes.isEmpty() || !same(files, changes.getFirst().head())) {
            return Future.succeededFuture(FollowStep.ANEW);
        }
        Map<String, ChangeRow> wanted = new LinkedHashMap<>();
        LibraryRow.Head last = changes.getFirst().head();
        long bytes = 0;
        for (ChangeRow change : changes.subList(1, changes.size())) {
            if (change.head().position() != last.position() + 1) {
                return Future.succeededFuture(FollowStep.ANEW);
            }
            String key = HEX.formatHex(change.key());
            bytes += wanted.containsKey(key) ? 0 : change.size();
            if (!wanted.isEmpty() && bytes > BYTES) {
                break;
            }
            wanted.put(key, change);
            last = change.head();
        }
        if (wanted.isEmpty()) {
            // The files are ahead of what is known of the library: the next look tells.
            lateness.none(namespace);
            return libraries.look().map(FollowStep.DONE);
        }
        LibraryRow.Head newest = last;
        lateness.lacks(namespace, changes.get(1).head().changed());
        List<byte[]> keys = wanted.values().stream()
                .filter(change -> change.size() > 0)
                .map(ChangeRow::key)
                .toList();
        return content.reader()
                .documents(library.id(), keys)
                .compose(rows -> apply(namespace, position(library, newest), changed(wanted, rows)))
                .map(FollowStep.MORE);
    }

    private List<Followed> changed(Map<String, ChangeRow> wanted, List<DocumentRow> rows) {
        Map<String, DocumentRow> present = new HashMap<>();
        rows.forEach(row -> present.put(HEX.formatHex(row.key()), row));
        List<Followed> changes = new ArrayList<>();
        wanted.forEach((key, change) -> {
            DocumentRow row = present.get(key);
            changes.add(
                    row == null
                            ? new Followed.Gone(new String(change.source(), StandardCharsets.UTF_8))
                            : present(row));
        });
        return changes;
    }
}
