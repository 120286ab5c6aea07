package switchboard.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.async.Futures;
import switchboard.embed.EmbedListener;

/**
 * Computes the vectors of documents with other models while the store serves: one document at a time, each in one
 * atomic step. A later run continues where one was stopped. A document's vectors of other models are removed.
 */
public final class Reindex {
    private static final int PAGE = 20;
    private static final int MAX_CHUNKS = 1_000_000;

    private final DocumentStore store;
    private final VectorWriter writer;
    private final ChunkEmbedders embedders;
    private final EmbedListener listener;

    /** Replaces a document's vectors, by field. */
    @FunctionalInterface
    public interface VectorWriter {
        /** Gives the document {@code id} in {@code namespaces} vectors of {@code model}. */
        Future<?> give(Collection<Namespace> namespaces, String id, String model, List<Map<String, float[]>> vectors);
    }

    /**
     * A run.
     *
     * @param store holds the documents
     * @param embedders compute the vectors
     * @param listener called after each document with the number done; may cancel the run
     */
    public Reindex(LuceneDocumentStore store, ChunkEmbedders embedders, EmbedListener listener) {
        this(store, store::giveVectors, embedders, listener);
    }

    /** The same where {@code writer} writes the vectors. */
    public Reindex(DocumentStore store, VectorWriter writer, ChunkEmbedders embedders, EmbedListener listener) {
        this.store = store;
        this.writer = writer;
        this.embedders = embedders;
        this.listener = listener;
    }

    /** Matches documents without the vectors of {@code embedders}; nothing if there is no model. */
    public static Filter lacking(ChunkEmbedders embedders) {
        return embedders
                .name()
                .<Filter>map(name -> new Filter.Not(Filter.equal("model", name)))
                .orElse(new Filter.Or(List.of()));
    }

    /**
     * Processes {@code namespaces}. Returns the number of documents with new vectors. Ends early if the listener
     * cancels.
     */
    public Future<Integer> run(List<Namespace> namespaces) {
        return run(namespaces, 0);
    }

    /** The same, with a count that starts at {@code before}. */
    public Future<Integer> run(List<Namespace> namespaces, int before) {
        Promise<Integer> done = Promise.promise();
        next(namespaces, before, done);
        return done.future();
    }

    private void next(List<Namespace> namespaces, int count, Promise<Integer> done) {
        Futures.finish(
                store.list(new ListRequest(namespaces, lacking(embedders), ListRequest.Order.BY_SOURCE, 0, PAGE))
                        .compose(page -> each(page.documents(), 0, count)),
                page -> {
                    if (page == count || listener.cancelled()) {
                        done.complete(page);
                    } else {
                        next(namespaces, page, done);
                    }
                },
                done::tryFail);
    }

    private Future<Integer> each(List<StoredDocument> documents, int at, int count) {
        if (at == documents.size() || listener.cancelled()) {
            return Future.succeededFuture(count);
        }
        return one(documents.get(at)).compose(changed -> {
            listener.embedded(count + 1);
            return each(documents, at + 1, count + 1);
        });
    }

    private Future<?> one(StoredDocument document) {
        List<Namespace> namespace = List.of(document.namespace());
        String model = embedders.name().orElseThrow();
        return store.chunks(namespace, Filter.equal("doc_id", document.id()), MAX_CHUNKS)
                .compose(chunks -> embedders.embed(
                        chunks.stream().map(StoredChunk::searchedText).toList(), EmbedListener.NONE))
                .compose(vectors -> writer.give(namespace, document.id(), model, fields(model, vectors)));
    }

    private static List<Map<String, float[]>> fields(String model, List<Optional<Chunk.ChunkVector>> vectors) {
        return vectors.stream()
                .map(vector ->
                        vector.map(made -> VectorFields.byField(model, made)).orElse(Map.of()))
                .toList();
    }
}
