package switchboard.replica;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.FilterField;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentPage;
import switchboard.store.DocumentScores;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.NamespaceCheck;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NamespaceStats;
import switchboard.store.NewDocument;
import switchboard.store.PutResult;
import switchboard.store.ReplicaState;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoreReplica;
import switchboard.store.StoreTurn;
import switchboard.store.StoredChunk;
import switchboard.store.StoredDocument;

/**
 * A store whose documents are in the shared database. Changes are made there, and reads answered from files of this node, which
 * are brought up to date before. What a read sees was found by the {@link #refresh} before it. While the database is away, reads
 * are answered from the files, and changes fail with {@code UNAVAILABLE}.
 */
public final class ReplicatedStore implements DocumentStore {
    private final Replication replication;
    private final DocumentStore files;
    private final DocumentAccess access;
    private final SharedWrites writes;

    private ReplicatedStore(Replication replication, DocumentStore files, DocumentAccess access, SharedWrites writes) {
        this.replication = replication;
        this.files = files;
        this.access = access;
        this.writes = writes;
    }

    /**
     * A store on {@code files}, which it closes.
     *
     * @return fails with an {@link IOException} if these have documents of their own
     */
    public static Future<DocumentStore> on(LuceneDocumentStore files, Replication.Settings settings) {
        return files.replica()
                .becomeCopy()
                .<DocumentStore>compose(own -> own.isEmpty()
                        ? Future.succeededFuture(of(files, Replication.of(files.replica(), settings), settings))
                        : Future.failedFuture(new IOException("dataDir has documents of `store: local` ("
                                + own.getFirst()
                                + "), which are nowhere else. Name another folder for `store: cluster`, and move them:"
                                + " `switchboard store move --to cluster`")))
                .recover(failure -> files.close().transform(_ -> Future.failedFuture(failure)));
    }

    private static DocumentStore of(LuceneDocumentStore files, Replication replication, Replication.Settings settings) {
        DocumentStore reads = settings.following()
                .engine()
                .<DocumentStore>map(engine ->
                        new EngineReads(files, new EngineReads.Source(engine, settings.tables(), replication::library)))
                .orElse(files);
        return new ReplicatedStore(replication, reads, DocumentAccess.EVERYTHING, replication.writes());
    }

    @Override
    public Future<Void> refresh() {
        return replication.refresh();
    }

    @Override
    public Optional<String> starting() {
        return replication.progress().starting();
    }

    @Override
    public Optional<String> unreachable() {
        return replication.chunks().flatMap(EngineChunks::away);
    }

    @Override
    public DocumentStore seenBy(DocumentAccess other) {
        return new ReplicatedStore(replication, files.seenBy(other), other, writes);
    }

    @Override
    public <T> Future<T> alone(Namespace namespace, Lifetime lifetime, Function<StoreTurn, Future<T>> work) {
        return replication.turn(writes.place(namespace), lifetime).compose(turn -> replication
                .lookNow()
                .compose(_ -> work.apply(turn.with(new ReplicatedStore(replication, files, access, writes.in(turn)))))
                .eventually(turn::end));
    }

    @Override
    public Future<String> state(Namespace namespace) {
        return all(List.of(namespace), _ -> Future.succeededFuture(replication.filesAt(namespace)));
    }

    @Override
    public DocumentAccess accessTo(Namespace namespace) {
        return files.accessTo(namespace);
    }

    @Override
    public Future<PutResult> put(Namespace namespace, NewDocument document) {
        return writes.put(access, namespace, document, SharedWrites.FoundCheck.ANY);
    }

    @Override
    public Future<PutResult> put(Namespace namespace, NewDocument document, Optional<StoredDocument> seen) {
        return lookedAgain(namespace, writes.put(access, namespace, document, SharedWrites.FoundCheck.only(seen)));
    }

    /** After {@code CONFLICT}, what the change lacked is there. */
    private <T> Future<T> lookedAgain(Namespace namespace, Future<T> change) {
        return change.recover(failure ->
                failure instanceof ToolException tool && tool.failed().kind() == FailureKind.CONFLICT
                        ? replication.look(namespace).transform(_ -> Future.failedFuture(failure))
                        : Future.failedFuture(failure));
    }

    @Override
    public Future<Optional<StoredDocument>> findReplaceable(Namespace namespace, String source) {
        return all(List.of(namespace), _ -> files.findReplaceable(namespace, source));
    }

    @Override
    public Future<Optional<StoredDocument>> describe(
            Collection<Namespace> namespaces, String id, DocumentDescription description) {
        return writes.describe(access, namespaces, id, description, SharedWrites.FoundCheck.ANY);
    }

    @Override
    public Future<Optional<StoredDocument>> describe(StoredDocument seen, DocumentDescription description) {
        List<Namespace> there = List.of(seen.namespace());
        SharedWrites.FoundCheck same = SharedWrites.FoundCheck.only(Optional.of(seen));
        return lookedAgain(seen.namespace(), writes.describe(access, there, seen.id(), description, same))
                .compose(described -> described.isPresent()
                        ? Future.succeededFuture(described)
                        : replication.look(seen.namespace()).compose(_ -> replaced(seen)));
    }

    /** What is described by its id is gone, unless another version, with another id, has taken its place. */
    private Future<Optional<StoredDocument>> replaced(StoredDocument seen) {
        return find(seen.namespace(), seen.source())
                .compose(now -> now.isEmpty()
                        ? Future.succeededFuture(now)
                        : Future.failedFuture(SharedWrites.FoundCheck.changed()));
    }

    @Override
    public Future<Optional<StoredDocument>> delete(Collection<Namespace> namespaces, String id) {
        return writes.delete(access, namespaces, id)
                .compose(deleted -> deleted.isPresent()
                        ? Future.succeededFuture(deleted)
                        // It may have got another id: what comes next sees that.
                        : Futures.oneByOne(
                                        StoreReplica.candidates(id, namespaces).iterator(), replication::look)
                                .map(deleted));
    }

    @Override
    public Future<Boolean> drop(Namespace namespace) {
        return writes.drop(access, namespace)
                .compose(dropped -> replication.look(namespace).map(dropped));
    }

    @Override
    public Future<Optional<StoredDocument>> find(Namespace namespace, String source) {
        return all(List.of(namespace), _ -> files.find(namespace, source));
    }

    @Override
    public Future<Optional<StoredDocument>> get(Collection<Namespace> namespaces, String id) {
        return all(StoreReplica.candidates(id, namespaces), there -> files.get(there, id));
    }

    @Override
    public Future<List<StoredDocument>> get(Collection<Namespace> namespaces, List<String> ids) {
        List<Namespace> holding = ids.stream()
                .flatMap(id -> StoreReplica.candidates(id, namespaces).stream())
                .distinct()
                .toList();
        return all(holding, there -> files.get(there, ids));
    }

    @Override
    public Future<Optional<DocumentText>> read(Collection<Namespace> namespaces, String id) {
        return all(StoreReplica.candidates(id, namespaces), there -> files.read(there, id));
    }

    @Override
    public Future<DocumentPage> list(ListRequest request) {
        return all(
                request.namespaces(),
                there -> files.list(
                        new ListRequest(there, request.filter(), request.order(), request.offset(), request.limit())));
    }

    @Override
    public <R> Future<R> facts(Namespace namespace, Set<String> names, Collector<MetadataRow, ?, R> collector) {
        return all(List.of(namespace), _ -> files.facts(namespace, names, collector));
    }

    @Override
    public Future<Map<Namespace, List<FilterField>>> fields(
            Collection<Namespace> namespaces, Set<String> names, int most) {
        return all(namespaces, there -> files.fields(there, names, most));
    }

    @Override
    public Future<List<StoredChunk>> chunks(Collection<Namespace> namespaces, Filter filter, int limit) {
        return all(namespaces, there -> files.chunks(there, filter, limit));
    }

    @Override
    public Future<SearchResult> search(SearchRequest request) {
        return reading(request.namespaces(), ready -> ready.some()
                .compose(there -> files.search(request.in(there)))
                .map(found -> found.limited(ready.limits())));
    }

    @Override
    public Future<DocumentScores> scores(SearchRequest request) {
        return reading(request.namespaces(), ready -> ready.some()
                .compose(there -> files.scores(request.in(there)))
                .map(found -> found.limited(ready.limits())));
    }

    @Override
    public List<Namespace> namespaces() {
        return replication.namespaces();
    }

    @Override
    public Future<List<NamespaceStats>> stats(Collection<Namespace> namespaces) {
        if (!(access instanceof DocumentAccess.Everything)) {
            // What is being built may have no document that the caller may read: then it is not there.
            return reading(namespaces, ready -> ready.some().compose(files::stats));
        }
        return reading(namespaces, ready -> files.stats(ready.usable()).map(known -> {
            List<NamespaceStats> all = new ArrayList<>(known);
            ready.building()
                    .forEach((namespace, _) ->
                            all.add(new NamespaceStats(namespace, 0, 0, null, ready.beingBuilt(namespace))));
            all.sort(Comparator.comparing(NamespaceStats::namespace));
            return all;
        }));
    }

    private <T> Future<T> reading(Collection<Namespace> namespaces, Function<Readable, Future<T>> read) {
        return replication.reading(namespaces, access instanceof DocumentAccess.Everything, read);
    }

    /** A read that needs all of the namespaces that exist. What a turn changes it decides by what it found at its beginning. */
    private <T> Future<T> all(Collection<Namespace> namespaces, Function<List<Namespace>, Future<T>> read) {
        return reading(namespaces, ready -> ready.all(writes.inTurn()).compose(read));
    }

    @Override
    public List<ReplicaState> following() {
        return replication.progress().states();
    }

    @Override
    public List<String> damaged() {
        return files.damaged();
    }

    @Override
    public Future<Integer> backup(Path target) {
        return files.backup(target);
    }

    @Override
    public Future<List<NamespaceCheck>> check() {
        return files.check();
    }

    @Override
    public Future<Integer> reindex(NamespaceEmbedders embedders, Lifetime lifetime, EmbedListener listener) {
        return new SharedReindex(this, replication, writes, embedders, listener).run(lifetime);
    }

    /** Writes chunks of stored documents to the engine by way of {@code mine}; empty if there is none. */
    Optional<EngineReindex> engine(SharedWrites mine) {
        return files instanceof EngineReads reads
                ? replication.chunks().map(chunks -> reads.reindex(chunks, mine))
                : Optional.empty();
    }

    @Override
    public Future<Void> announce(String address) {
        return files.announce(address);
    }

    @Override
    public Future<Void> close() {
        return replication.close().eventually(files::close);
    }
}
