package switchboard.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.async.Futures;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;

/**
 * Computes the vectors of documents with another model while the store serves: one document at a time, each in one
 * atomic step. A later run continues where one was stopped. A document's vectors of other models are removed.
 */
public final class Reindex {
    private static final int PAGE = 20;
    private static final int MAX_CHUNKS = 1_000_000;

    private final LuceneDocumentStore store;
    private final Embedder embedder;
    private final EmbedListener listener;

    /**
     * A run.
     *
     * @param store holds the documents
     * @param embedder computes the vectors
     * @param listener called after each document with the number done; may cancel the run
     */
    public Reindex(LuceneDocumentStore store, Embedder embedder, EmbedListener listener) {
        this.store = store;
        this.embedder = embedder;
        this.listener = listener;
    }

    /** Matches documents without vectors of {@code embedder}. */
    public static Filter lacking(Embedder embedder) {
        return new Filter.Not(Filter.equal("model", embedder.model()));
    }

    /**
     * Processes {@code namespaces}. Returns the number of documents with new vectors. Ends early if the listener
     * cancels.
     */
    public Future<Integer> run(List<Namespace> namespaces) {
        return run(namespaces, 0);
    }

    /** The same, with a count that starts at {@code before}. */
    Future<Integer> run(List<Namespace> namespaces, int before) {
        Promise<Integer> done = Promise.promise();
        next(namespaces, before, done);
        return done.future();
    }

    private void next(List<Namespace> namespaces, int count, Promise<Integer> done) {
        Futures.finish(
                store.list(new ListRequest(namespaces, lacking(embedder), ListRequest.Order.BY_SOURCE, 0, PAGE))
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
        return store.chunks(namespace, Filter.equal("doc_id", document.id()), MAX_CHUNKS)
                .compose(chunks -> embedder.embedReadable(
                        chunks.stream().map(StoredChunk::searched).toList(), EmbedListener.NONE))
                .compose(vectors -> store.giveVectors(namespace, document.id(), embedder.model(), fields(vectors)));
    }

    private List<Map<String, float[]>> fields(List<Optional<float[]>> vectors) {
        List<Map<String, float[]>> fields = new ArrayList<>(vectors.size());
        for (Optional<float[]> vector : vectors) {
            fields.add(vector.map(made -> Map.of(DocumentSchema.vectorField(embedder.model(), made.length), made))
                    .orElse(Map.of()));
        }
        return fields;
    }
}
