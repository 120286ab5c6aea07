package switchboard.replica;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.FilterField;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.cluster.DocumentRow;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LibraryRow;
import switchboard.embed.EmbedListener;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentForm;
import switchboard.store.DocumentPage;
import switchboard.store.DocumentScores;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.EngineSearch;
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
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoredChunk;
import switchboard.store.StoredDocument;

/**
 * Reads of documents whose chunks are in an engine: what is known of each is in files of this node, texts are in the database.
 * Thread-safe.
 */
final class EngineReads implements DocumentStore {
    /** Documents whose chunks are read at once. */
    private static final int PAGE = 20;

    private final LuceneDocumentStore whole;
    private final LuceneDocumentStore files;
    private final EngineSearch searching;
    private final Source source;

    /**
     * Where chunks and texts are.
     *
     * @param libraries finds libraries in the database
     */
    record Source(ChunkEngine engine, DocumentTables tables, Function<Namespace, Optional<LibraryRow>> libraries) {}

    EngineReads(LuceneDocumentStore files, Source source) {
        this(files, files, source);
    }

    private EngineReads(LuceneDocumentStore whole, LuceneDocumentStore files, Source source) {
        this.whole = whole;
        this.files = files;
        this.searching = new EngineSearch(files);
        this.source = source;
    }

    @Override
    public DocumentStore seenBy(DocumentAccess access) {
        return new EngineReads(whole, whole.seenBy(access), source);
    }

    @Override
    public Future<SearchResult> search(SearchRequest request) {
        return rounds(request, EngineRounds.OutcomeKind.hits(searching));
    }

    @Override
    public Future<DocumentScores> scores(SearchRequest request) {
        return rounds(request, EngineRounds.OutcomeKind.scores(searching));
    }

    private <T> Future<T> rounds(SearchRequest request, EngineRounds.OutcomeKind<T> kind) {
        return new EngineRounds<>(request, searching, source.engine(), source.libraries(), kind).run();
    }

    @Override
    public Future<Optional<DocumentText>> read(Collection<Namespace> namespaces, String id) {
        return files.get(namespaces, id)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : forms(List.of(found.get())).map(forms -> forms.values().stream()
                                .flatMap(List::stream)
                                .findFirst()
                                .map(form -> new DocumentText(
                                        found.get(), new String(form.text(), StandardCharsets.UTF_8)))));
    }

    /** The documents with their texts; those that are not there any more are left out. */
    Future<Map<Namespace, List<DocumentForm>>> forms(List<StoredDocument> documents) {
        Map<Namespace, List<StoredDocument>> byLibrary = documents.stream()
                .collect(Collectors.groupingBy(StoredDocument::namespace, LinkedHashMap::new, Collectors.toList()));
        Map<Namespace, Future<List<DocumentForm>>> read = new LinkedHashMap<>();
        byLibrary.forEach((namespace, some) ->
                source.libraries().apply(namespace).ifPresent(row -> read.put(namespace, forms(row, some))));
        return Future.all(List.copyOf(read.values())).map(_ -> {
            Map<Namespace, List<DocumentForm>> all = new LinkedHashMap<>();
            read.forEach((namespace, forms) -> all.put(namespace, forms.result()));
            return all;
        });
    }

    private Future<List<DocumentForm>> forms(LibraryRow library, List<StoredDocument> documents) {
        List<byte[]> keys = documents.stream()
                .map(document -> SharedWrites.key(document.source()))
                .toList();
        Set<String> ids = documents.stream().map(StoredDocument::id).collect(Collectors.toSet());
        return source.tables()
                .documents(library.id(), keys)
                .map(rows -> rows.stream()
                        .filter(row -> ids.contains(row.id()))
                        .map(EngineReads::form)
                        .toList())
                .recover(failure -> Future.failedFuture(SharedWrites.told(failure)));
    }

    private static DocumentForm form(DocumentRow row) {
        DocumentRow.Body body = row.body();
        return new DocumentForm(body.facts(), body.text(), body.chunks(), body.vectors());
    }

    @Override
    public Future<List<StoredChunk>> chunks(Collection<Namespace> namespaces, Filter filter, int limit) {
        List<Namespace> all = List.copyOf(namespaces);
        List<StoredChunk> chunks = new ArrayList<>();
        return Futures.repeat(0, from -> page(all, filter, from).compose(documents -> forms(documents)
                        .compose(forms -> searching.chunks(all, forms, filter, limit - chunks.size()))
                        .map(found -> {
                            chunks.addAll(found);
                            return documents.size() < PAGE || chunks.size() >= limit
                                    ? Optional.empty()
                                    : Optional.of(from + PAGE);
                        })))
                .map(chunks);
    }

    /** Some of the documents whose chunks may pass {@code filter}. */
    private Future<List<StoredDocument>> page(List<Namespace> namespaces, Filter filter, int from) {
        return files.list(new ListRequest(
                        namespaces, EngineSearch.ofDocument(filter), ListRequest.Order.BY_SOURCE, from, PAGE))
                .map(DocumentPage::documents);
    }

    /** Writes chunks of stored documents by way of {@code writes}. */
    EngineReindex reindex(EngineChunks chunks, SharedWrites writes) {
        return new EngineReindex(this, source, chunks, writes);
    }

    @Override
    public Future<Integer> backup(Path target) {
        return Future.failedFuture(new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "The documents are in the database of the section cluster, their chunks in Weaviate. Back up the database; after it"
                        + " was restored, `switchboard reindex` writes chunks that Weaviate lacks."));
    }

    @Override
    public Future<PutResult> put(Namespace namespace, NewDocument document) {
        throw new UnsupportedOperationException("documents are written to the database");
    }

    @Override
    public Future<Optional<StoredDocument>> describe(
            Collection<Namespace> namespaces, String id, DocumentDescription description) {
        throw new UnsupportedOperationException("documents are written to the database");
    }

    @Override
    public Future<Optional<StoredDocument>> delete(Collection<Namespace> namespaces, String id) {
        throw new UnsupportedOperationException("documents are removed from the database");
    }

    @Override
    public Future<Boolean> drop(Namespace namespace) {
        throw new UnsupportedOperationException("libraries are removed from the database");
    }

    @Override
    public Future<Integer> reindex(NamespaceEmbedders embedders, Lifetime lifetime, EmbedListener listener) {
        throw new UnsupportedOperationException("vectors are written by way of the database");
    }

    @Override
    public Future<Optional<StoredDocument>> findReplaceable(Namespace namespace, String source) {
        return files.findReplaceable(namespace, source);
    }

    @Override
    public DocumentAccess accessTo(Namespace namespace) {
        return files.accessTo(namespace);
    }

    @Override
    public Future<Optional<StoredDocument>> find(Namespace namespace, String source) {
        return files.find(namespace, source);
    }

    @Override
    public Future<Optional<StoredDocument>> get(Collection<Namespace> namespaces, String id) {
        return files.get(namespaces, id);
    }

    @Override
    public Future<List<StoredDocument>> get(Collection<Namespace> namespaces, List<String> ids) {
        return files.get(namespaces, ids);
    }

    @Override
    public Future<DocumentPage> list(ListRequest request) {
        return files.list(request);
    }

    @Override
    public <R> Future<R> facts(Namespace namespace, Set<String> names, Collector<MetadataRow, ?, R> collector) {
        return files.facts(namespace, names, collector);
    }

    @Override
    public Future<Map<Namespace, List<FilterField>>> fields(
            Collection<Namespace> namespaces, Set<String> names, int most) {
        return files.fields(namespaces, names, most);
    }

    @Override
    public List<Namespace> namespaces() {
        return files.namespaces();
    }

    @Override
    public Future<List<NamespaceStats>> stats(Collection<Namespace> namespaces) {
        return files.stats(namespaces);
    }

    @Override
    public List<String> damaged() {
        return files.damaged();
    }

    @Override
    public Future<List<NamespaceCheck>> check() {
        return files.check();
    }

    @Override
    public Future<Void> announce(String address) {
        return files.announce(address);
    }

    @Override
    public Future<Void> close() {
        return files.close();
    }
}
