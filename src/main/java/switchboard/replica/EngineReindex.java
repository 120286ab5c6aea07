package switchboard.replica;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.cluster.LibraryRow;
import switchboard.embed.EmbedListener;
import switchboard.store.DocumentForm;
import switchboard.store.DocumentPage;
import switchboard.store.EngineChunk;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/** Writes chunks of stored documents to the engine: with vectors of another model, and those that the engine lacks. */
final class EngineReindex {
    private static final int PAGE = 50;

    private final EngineReads reads;
    private final EngineReads.Source source;
    private final EngineChunks chunks;
    private final SharedWrites writes;

    EngineReindex(EngineReads reads, EngineReads.Source source, EngineChunks chunks, SharedWrites writes) {
        this.reads = reads;
        this.source = source;
        this.chunks = chunks;
        this.writes = writes;
    }

    /** Writes the chunks of a document with other vectors, one map for each chunk by field. */
    Future<Optional<StoredDocument>> giveVectors(
            Collection<Namespace> namespaces, String id, String model, List<Map<String, float[]>> vectors) {
        return reads.get(namespaces, id)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : form(found.get())
                                .compose(form -> form.isEmpty()
                                        ? Future.succeededFuture(Optional.empty())
                                        : chunks.of(form.get(), vectors)
                                                .compose(all -> move(found.get(), model, all))));
    }

    private Future<Optional<DocumentForm>> form(StoredDocument document) {
        return reads.forms(List.of(document))
                .map(forms -> forms.values().stream().flatMap(List::stream).findFirst());
    }

    private Future<Optional<StoredDocument>> move(
            StoredDocument document, @Nullable String model, List<EngineChunk> all) {
        Optional<LibraryRow> library = source.libraries().apply(document.namespace());
        if (library.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        UUID collection = library.get().incarnation();
        return chunks.write(collection, document.id(), all)
                .compose(_ -> writes.moved(List.of(document.namespace()), document.id(), model, all))
                // They stay if the document is there.
                .andThen(_ -> chunks.release(collection, document.id()));
    }

    /**
     * Writes the chunks that the engine lacks, with the vectors that are in the database, if any. The number of documents that were
     * written.
     */
    Future<Integer> complete(Namespace namespace, EmbedListener listener) {
        AtomicInteger written = new AtomicInteger();
        return Futures.repeat("", last -> complete(namespace, listener, last, written))
                .compose(_ -> Futures.repeat("", after -> unknown(namespace, listener, after)))
                .map(_ -> written.get());
    }

    private Optional<UUID> collection(Namespace namespace, EmbedListener listener) {
        return listener.cancelled()
                ? Optional.empty()
                : source.libraries().apply(namespace).map(LibraryRow::incarnation);
    }

    /** Does so for the next documents in the order of their sources; gives the last source, or nothing at the end. */
    private Future<Optional<String>> complete(
            Namespace namespace, EmbedListener listener, String last, AtomicInteger written) {
        Optional<UUID> collection = collection(namespace, listener);
        if (collection.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        Filter rest = last.isEmpty()
                ? new Filter.All()
                : new Filter.Between("source", new Filter.Value.TextValue(last), null);
        return reads.list(new ListRequest(List.of(namespace), rest, ListRequest.Order.BY_SOURCE, 0, PAGE))
                .map(DocumentPage::documents)
                .compose(page -> source.engine()
                        .counts(
                                collection.get(),
                                page.stream().map(StoredDocument::id).toList())
                        .compose(counts -> Futures.oneByOne(
                                page.stream()
                                        .filter(one -> counts.getOrDefault(one.id(), 0L) != one.chunkCount())
                                        .iterator(),
                                one -> write(one, written)))
                        .map(_ -> page.size() < PAGE
                                ? Optional.empty()
                                : Optional.of(page.getLast().source())));
    }

    /**
     * Has chunks removed whose documents nobody knows, of a database that was restored, or written after their time limit: looks at
     * the next chunks, and gives the last one, or nothing at the end.
     */
    private Future<Optional<String>> unknown(Namespace namespace, EmbedListener listener, String after) {
        Optional<UUID> collection = collection(namespace, listener);
        if (collection.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return source.engine().documents(collection.get(), after).compose(page -> reads.get(
                        List.of(namespace), List.copyOf(page.documents()))
                .compose(known -> {
                    Set<String> others = new HashSet<>(page.documents());
                    known.forEach(document -> others.remove(document.id()));
                    return chunks.unknown(collection.get(), List.copyOf(others));
                })
                .map(_ -> page.last().isEmpty() ? Optional.empty() : Optional.of(page.last())));
    }

    private Future<?> write(StoredDocument document, AtomicInteger written) {
        return form(document)
                .compose(form -> form.isEmpty()
                        ? Future.succeededFuture()
                        : chunks.of(form.get())
                                // Without vectors it lacks those of a model, which come next.
                                .compose(all -> move(document, form.get().hasVectors() ? document.model() : null, all))
                                .map(Futures.also(_ -> written.incrementAndGet())));
    }
}
