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
 * Gives documents the vectors of another model while the store serves: document by document, each in one atomic step.
 * Stopped, it goes on where it was when it is started again. A document's vectors of other models are removed.
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
     * @param store whose documents
     * @param embedder makes the vectors
     * @param listener told after each document how many are done; may end the run
     */
    public Reindex(LuceneDocumentStore store, Embedder embedder, EmbedListener listener) {
        this.store = store;
        this.embedder = embedder;
        this.listener = listener;
    }

    /** Documents without vectors of {@code embedder}. */
    public static Filter lacking(Embedder embedder) {
        return new Filter.Not(Filter.equal("model", embedder.model()));
    }

    /** Works through {@code namespaces}; how many documents were given vectors. Done early when the listener cancels. */
    public Future<Integer> run(List<Namespace> namespaces) {
        return run(namespaces, 0);
    }

    /** The same, counting on from {@code before}. */
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
