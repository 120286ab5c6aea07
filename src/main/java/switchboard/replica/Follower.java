package switchboard.replica;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.cluster.ChangeRow;
import switchboard.cluster.DocumentRow;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
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
    private static final int MOST_WAITING = 100_000;

    /** Files that can't be followed are built anew so often before that fails. */
    private static final int REBUILDS = 3;

    private final DocumentTables tables;
    private final Libraries libraries;
    private final StoreReplica replica;
    private final Context context;
    private final FairSemaphore following;
    private final FairSemaphore building;
    private final Map<Namespace, Future<Void>> running = new ConcurrentHashMap<>();
    private final Map<Namespace, Integer> builds = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Follower(Vertx vertx, DocumentTables tables, Libraries libraries, StoreReplica replica, TeamShare share) {
        this.tables = tables;
        this.libraries = libraries;
        this.replica = replica;
        this.context = vertx.getOrCreateContext();
        this.following = new FairSemaphore(FOLLOWING, MOST_WAITING, share);
        this.building = new FairSemaphore(BUILDING, MOST_WAITING, share);
    }

    /** Whether the files have all of {@code library}, and its changes up to the head that it has. */
    boolean has(LibraryRow library) {
        return replica.position(Libraries.namespace(library))
                .filter(files -> files.complete() && of(files, library))
                .filter(files -> files.position() > library.head().position() || same(files, library.head()))
                .isPresent();
    }

    /** Whether the files have all documents of a library as of some time. */
    boolean complete(Namespace namespace) {
        return libraries
                .find(namespace)
                .flatMap(library -> replica.position(namespace).filter(files -> files.complete() && of(files, library)))
                .isPresent();
    }

    private static boolean of(ReplicaPosition files, LibraryRow library) {
        return files.library().equals(library.incarnation().toString());
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

    /** How often the files were begun anew. */
    int builds(Namespace namespace) {
        return builds.getOrDefault(namespace, 0);
    }

    /** How many changes the files of all libraries lack, as far as is known. */
    long behind() {
        return libraries.positions().entrySet().stream()
                .mapToLong(one -> Math.max(
                        0,
                        one.getValue()
                                - replica.position(one.getKey())
                                        .filter(ReplicaPosition::complete)
                                        .map(ReplicaPosition::position)
                                        .orElse(0L)))
                .sum();
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
        context.runOnContext(_ -> Futures.settle(
                turn(namespace),
                over -> {
                    running.remove(namespace);
                    mine.handle(over);
                },
                mine::tryFail));
        return mine.future();
    }

    private Future<Void> turn(Namespace namespace) {
        FairSemaphore permits = complete(namespace) ? following : building;
        return permits.run(() -> step(namespace, 0), () -> new IllegalStateException("too many libraries wait"));
    }

    private Future<Void> step(Namespace namespace, int rebuilds) {
        if (closed) {
            return Future.failedFuture("the store is closing");
        }
        Optional<LibraryRow> library = libraries.find(namespace);
        if (library.isEmpty()) {
            return replica.exists(namespace) ? forget(namespace) : Future.succeededFuture();
        }
        Optional<ReplicaPosition> files = replica.position(namespace);
        if (files.isEmpty() || !of(files.get(), library.get())) {
            return rebuilds >= REBUILDS
                    ? Future.failedFuture("the files of " + namespace.name() + " can't be built")
                    : begin(namespace, library.get())
                            .compose(begun -> begun ? step(namespace, rebuilds + 1) : Future.succeededFuture());
        }
        if (!files.get().complete()) {
            return build(namespace, library.get(), files.get()).compose(_ -> step(namespace, rebuilds));
        }
        if (same(files.get(), library.get().head())) {
            return Future.succeededFuture();
        }
        return tables.changes(library.get().id(), Math.max(1, files.get().position()))
                .compose(changes -> followed(namespace, library.get(), files.get(), changes))
                .compose(outcome -> switch (outcome) {
                    case MORE -> step(namespace, rebuilds);
                    case DONE -> Future.succeededFuture();
                    case LOST -> {
                        LOG.info(
                                "{}: its files do not follow the library any more; they are built anew",
                                namespace.name());
                        yield forget(namespace).compose(_ -> step(namespace, rebuilds));
                    }
                });
    }

    private enum FollowedPage {
        MORE,
        DONE,
        LOST
    }

    private Future<Void> forget(Namespace namespace) {
        builds.merge(namespace, 1, Integer::sum);
        return replica.forget(namespace);
    }

    /** Begins new files; false if the library was dropped meanwhile. */
    private Future<Boolean> begin(Namespace namespace, LibraryRow known) {
        Future<Void> gone = replica.exists(namespace) ? forget(namespace) : replica.forget(namespace);
        return gone.compose(_ -> tables.library(known.id())).compose(now -> {
            if (now.isEmpty() || !now.get().incarnation().equals(known.incarnation())) {
                libraries.compareAll(); // what is known may be older than what a look has left out
                return libraries.look().map(false);
            }
            LOG.info("{}: its files are built from the shared database", namespace.name());
            LibraryRow library = now.get();
            return replica.apply(namespace, position(library, library.head()).built(""), List.of())
                    .map(true);
        });
    }

    private static ReplicaPosition position(LibraryRow library, LibraryRow.Head head) {
        return new ReplicaPosition(
                library.incarnation().toString(),
                head.position(),
                String.valueOf(head.operation()),
                head.changed(),
                null);
    }

    /** Reads the next documents. What changes meanwhile is among the changes that follow. */
    private Future<Void> build(Namespace namespace, LibraryRow library, ReplicaPosition files) {
        byte[] after = HEX.parseHex(String.valueOf(files.built()));
        return tables.keys(library.id(), after).compose(page -> {
            if (page.isEmpty()) {
                LOG.info("{}: its files are complete", namespace.name());
                return replica.apply(namespace, files.built(null), List.of());
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
            return tables.documents(library.id(), keys)
                    .compose(rows -> replica.apply(
                            namespace,
                            files.built(HEX.formatHex(keys.getLast())),
                            rows.stream().<Followed>map(Follower::present).toList()));
        });
    }

    private static Followed.Present present(DocumentRow row) {
        DocumentRow.Body body = row.body();
        return new Followed.Present(new DocumentForm(body.facts(), body.text(), body.chunks(), body.vectors()));
    }

    private Future<FollowedPage> followed(
            Namespace namespace, LibraryRow library, ReplicaPosition files, List<ChangeRow> changes) {
        if (changes.isEmpty() || !same(files, changes.getFirst().head())) {
            return Future.succeededFuture(FollowedPage.LOST);
        }
        Map<String, ChangeRow> wanted = new LinkedHashMap<>();
        LibraryRow.Head last = changes.getFirst().head();
        long bytes = 0;
        for (ChangeRow change : changes.subList(1, changes.size())) {
            if (change.head().position() != last.position() + 1) {
                return Future.succeededFuture(FollowedPage.LOST);
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
            return libraries.look().map(FollowedPage.DONE);
        }
        LibraryRow.Head reached = last;
        List<byte[]> keys = wanted.values().stream()
                .filter(change -> change.size() > 0)
                .map(ChangeRow::key)
                .toList();
        return tables.documents(library.id(), keys)
                .compose(rows -> replica.apply(namespace, position(library, reached), changed(wanted, rows)))
                .map(FollowedPage.MORE);
    }

    private static List<Followed> changed(Map<String, ChangeRow> wanted, List<DocumentRow> rows) {
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
