package switchboard.store;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import switchboard.call.FilterField;
import switchboard.call.Lifetime;
import switchboard.concurrent.BlockingExecutor;
import switchboard.embed.EmbedListener;

/** The store on Lucene. Reads run on one executor, writes on another. */
public final class LuceneDocumentStore implements DocumentStore {
    private static final int WRITE_THREADS = 2;

    private final Vertx vertx;
    private final Clock clock;
    private final StoreSettings settings;
    private final StoreFolder folder;
    private final SnapshotReads reads;
    private final BlockingExecutor writes;
    private final BlockingExecutor maintenance;
    final GroupCommit commits;
    private final long idleTimer;
    private final DocumentAccess access;

    private LuceneDocumentStore(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings, StoreFolder folder) {
        this.vertx = vertx;
        this.clock = clock;
        this.settings = settings;
        this.folder = folder;
        this.reads = new SnapshotReads(vertx, meters, clock, settings, folder.catalog());
        this.writes = settings.executor(vertx, meters, "-write", WRITE_THREADS, settings.maxWaiting());
        this.maintenance = settings.executor(vertx, meters, "-upkeep", 1, 1);
        this.commits = new GroupCommit(vertx, writes, folder.catalog(), meters, clock, settings);
        this.idleTimer = vertx.setPeriodic(Math.max(1, settings.idleClose().toMillis() / 2), id -> closeIdle());
        this.access = DocumentAccess.EVERYTHING;
        StoreMeters.register(meters, settings, folder.catalog());
    }

    private LuceneDocumentStore(LuceneDocumentStore whole, DocumentAccess access) {
        this.vertx = whole.vertx;
        this.clock = whole.clock;
        this.settings = whole.settings;
        this.folder = whole.folder;
        this.reads = whole.reads;
        this.writes = whole.writes;
        this.maintenance = whole.maintenance;
        this.commits = whole.commits;
        this.idleTimer = whole.idleTimer;
        this.access = access;
    }

    /** Its files as a copy of libraries elsewhere. */
    public StoreReplica replica() {
        return new StoreReplica(folder.catalog(), commits, writes);
    }

    /** Its documents as they are, to move them from or to another store. */
    public StoreTransfer transfer() {
        return new StoreTransfer(
                this, (space, ids) -> read(List.of(space), all -> DocumentLookup.forms(all, ids)), commits, writes);
    }

    @Override
    public LuceneDocumentStore seenBy(DocumentAccess other) {
        return new LuceneDocumentStore(this, other);
    }

    @Override
    public DocumentAccess accessTo(Namespace namespace) {
        Optional<NamespaceIndex> index = folder.catalog().find(namespace);
        return index.isPresent() && index.get().facts().restricted() ? access : DocumentAccess.EVERYTHING;
    }

    /**
     * Opens the store in {@code settings.folder()}, which is created if it is missing.
     *
     * @return fails with {@link FolderInUseException} if another process uses the folder, and with an {@link
     *     IOException} that says why if it can't be read
     */
    public static Future<LuceneDocumentStore> open(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings) {
        return open(vertx, meters, clock, settings, org.apache.lucene.store.FSDirectory::open);
    }

    static Future<LuceneDocumentStore> open(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings, DirectoryFactory directories) {
        // Before executors are created, because a folder in use by another process is tried many times.
        return vertx.executeBlocking(() -> StoreFolder.open(settings.folder(), directories), false)
                .map(folder -> {
                    LuceneDocumentStore store =
                            new LuceneDocumentStore(vertx, meters, clock, settings, Objects.requireNonNull(folder));
                    AnalysisUpgrade.begin(settings, folder.catalog(), store.commits);
                    return store;
                });
    }

    @Override
    public Future<PutResult> put(Namespace namespace, NewDocument document) {
        // The analysis is done before the document queues for its namespace, so that it keeps no other waiting.
        return writes.run(() -> new Prepared(namespace, document))
                .compose(prepared -> commits.submit(
                        namespace,
                        commitBatch -> new PutResult(
                                prepared.facts, commitBatch.put(access, prepared.facts, prepared.block))));
    }

    @Override
    public Future<Optional<StoredDocument>> findReplaceable(Namespace namespace, String source) {
        return new LuceneDocumentStore(this, DocumentAccess.EVERYTHING)
                .find(namespace, source)
                .map(found -> CommitBatch.permitted(access, found));
    }

    private final class Prepared {
        private final StoredDocument facts;
        private final List<Document> block;

        Prepared(Namespace namespace, NewDocument document) {
            this.facts = StoredDocument.of(namespace, document, clock.instant().truncatedTo(ChronoUnit.MILLIS));
            this.block = DocumentSchema.of(facts, document);
        }
    }

    @Override
    public Future<Optional<StoredDocument>> describe(
            Collection<Namespace> namespaces, String id, DocumentDescription description) {
        return change(namespaces, id, new GroupCommit.Rewrite<>(batch -> batch.describe(access, id, description)));
    }

    /** Replaces a document's vectors, by field; empty if there is no such document. */
    Future<Optional<StoredDocument>> giveVectors(
            Collection<Namespace> namespaces, String id, String model, List<Map<String, float[]>> vectors) {
        return change(
                namespaces, id, new GroupCommit.Rewrite<>(commitBatch -> commitBatch.giveVectors(id, model, vectors)));
    }

    @Override
    public Future<Optional<StoredDocument>> delete(Collection<Namespace> namespaces, String id) {
        return change(namespaces, id, commitBatch -> commitBatch.delete(access, id));
    }

    /**
     * Makes a change in the namespace that has the document. The id's hash may match several namespaces, so they are
     * tried in turn.
     */
    private Future<Optional<StoredDocument>> change(
            Collection<Namespace> namespaces, String id, GroupCommit.Change<Optional<StoredDocument>> change) {
        Future<Optional<StoredDocument>> result = Future.succeededFuture(Optional.empty());
        for (Namespace namespace : DocumentIds.candidates(id, namespaces)) {
            if (folder.catalog().find(namespace).isPresent()) {
                result = result.compose(
                        found -> found.isPresent() ? Future.succeededFuture(found) : commits.submit(namespace, change));
            }
        }
        return result;
    }

    @Override
    public Future<Boolean> drop(Namespace namespace) {
        return writes.run(() -> StoreFailures.translated(
                "Removing " + namespace.name(), () -> folder.catalog().drop(namespace, access)));
    }

    @Override
    public Future<Optional<StoredDocument>> find(Namespace namespace, String source) {
        return read(List.of(namespace), snapshot -> DocumentLookup.bySource(snapshot, source));
    }

    @Override
    public Future<Optional<StoredDocument>> get(Collection<Namespace> namespaces, String id) {
        return read(DocumentIds.candidates(id, namespaces), snapshot -> DocumentLookup.byId(snapshot, id));
    }

    @Override
    public Future<List<StoredDocument>> get(Collection<Namespace> namespaces, List<String> ids) {
        Set<Namespace> holding = new TreeSet<>();
        ids.forEach(id -> holding.addAll(DocumentIds.candidates(id, namespaces)));
        return read(holding, Snapshot::ofReadable, snapshot -> {
            List<StoredDocument> found = new ArrayList<>();
            for (String id : ids) {
                DocumentLookup.byId(snapshot, id).ifPresent(found::add);
            }
            return found;
        });
    }

    @Override
    public Future<Optional<DocumentText>> read(Collection<Namespace> namespaces, String id) {
        return read(DocumentIds.candidates(id, namespaces), snapshot -> DocumentLookup.read(snapshot, id));
    }

    @Override
    public Future<DocumentPage> list(ListRequest request) {
        return read(request.namespaces(), Snapshot::ofReadable, snapshot -> DocumentLookup.list(snapshot, request));
    }

    @Override
    public <R> Future<R> facts(Namespace namespace, Set<String> names, Collector<MetadataRow, ?, R> collector) {
        return read(List.of(namespace), snapshot -> MetadataReader.collect(snapshot, names, collector));
    }

    @Override
    public Future<Map<Namespace, List<FilterField>>> fields(
            Collection<Namespace> namespaces, Set<String> names, int most) {
        return read(namespaces, Snapshot::ofReadable, snapshot -> FieldReader.read(snapshot, names, most));
    }

    @Override
    public Future<List<StoredChunk>> chunks(Collection<Namespace> namespaces, Filter filter, int limit) {
        return read(namespaces, Snapshot::ofReadable, snapshot -> DocumentLookup.chunks(snapshot, filter, limit));
    }

    @Override
    public Future<SearchResult> search(SearchRequest request) {
        return read(
                request.namespaces(), Snapshot::ofReadable, snapshot -> new SnapshotSearch(snapshot, request).run());
    }

    private <T> Future<T> read(Collection<Namespace> namespaces, SnapshotReads.SnapshotRead<T> reading) {
        return read(namespaces, Snapshot::of, reading);
    }

    <T> Future<T> read(
            Collection<Namespace> namespaces, SnapshotReads.Joining joining, SnapshotReads.SnapshotRead<T> reading) {
        return reads.read(namespaces, access, joining, reading);
    }

    @Override
    public Future<DocumentScores> scores(SearchRequest request) {
        return read(request.namespaces(), Snapshot::ofReadable, snapshot -> new SnapshotSearch(snapshot, request)
                .byDocument());
    }

    @Override
    public List<Namespace> namespaces() {
        return folder.catalog().namespaces();
    }

    @Override
    public Future<List<NamespaceStats>> stats(Collection<Namespace> namespaces) {
        List<NamespaceStats> known = new ArrayList<>();
        List<Namespace> read = new ArrayList<>();
        for (NamespaceIndex index : folder.catalog().find(namespaces)) {
            CommitUserData facts = index.facts();
            if (access instanceof DocumentAccess.Everything || !facts.restricted()) {
                known.add(NamespaceStats.of(index, facts));
            } else if (index.damage().isPresent()) {
                known.add(NamespaceStats.of(index, CommitUserData.NONE));
            } else {
                read.add(index.namespace());
            }
        }
        // In one order: their places must not tell which of them have hidden documents.
        return visible(read).map(visible -> Stream.concat(known.stream(), visible.stream())
                .sorted(Comparator.comparing(NamespaceStats::namespace))
                .toList());
    }

    /** The statistics of {@code namespaces} without those whose documents are all hidden. */
    private Future<List<NamespaceStats>> visible(List<Namespace> namespaces) {
        if (namespaces.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return read(namespaces, Snapshot::ofReadable, NamespaceStats::visible);
    }

    @Override
    public List<String> damaged() {
        return folder.catalog().damaged();
    }

    @Override
    public Future<Void> announce(String address) {
        return maintenance
                .run(() -> StoreFailures.translated("Writing the owner's address", () -> {
                    folder.lock().announce(address);
                    return true;
                }))
                .mapEmpty();
    }

    @Override
    public Future<Integer> backup(Path target) {
        return maintenance.run(() ->
                StoreFailures.translated("The backup", () -> folder.backup().backup(target)));
    }

    @Override
    public Future<List<NamespaceCheck>> check() {
        return maintenance.run(() ->
                StoreFailures.translated("The check", () -> folder.backup().check()));
    }

    @Override
    public Future<Integer> reindex(NamespaceEmbedders embedders, Lifetime lifetime, EmbedListener listener) {
        Future<Integer> done = Future.succeededFuture(0);
        for (Namespace namespace : namespaces()) {
            ChunkEmbedders models = embedders.of(namespace);
            if (!models.isEmpty()) {
                done = done.compose(before -> listener.cancelled()
                        ? Future.succeededFuture(before)
                        : new Reindex(this, models, listener).run(List.of(namespace), before));
            }
        }
        return done;
    }

    private void closeIdle() {
        long idleSince = clock.millis() - settings.idleClose().toMillis();
        writes.run(() -> {
            folder.catalog().trim(settings.maxOpenNamespaces(), idleSince);
            return true;
        });
    }

    @Override
    public Future<Void> close() {
        vertx.cancelTimer(idleTimer);
        return commits.close()
                // Not on the executor, whose queue may be full.
                .compose(done -> vertx.executeBlocking(
                        () -> {
                            folder.close();
                            return true;
                        },
                        false))
                .eventually(reads::close)
                .eventually(writes::close)
                .eventually(maintenance::close)
                .mapEmpty();
    }
}
