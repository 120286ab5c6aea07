package switchboard.embed;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The similarity of queries to texts that are compared again and again, such as the descriptions of tools. The vectors
 * of texts are computed in the background when they are first asked for, and kept. Thread-safe; nothing blocks.
 */
public final class TextSimilarity {
    private static final Logger LOG = LoggerFactory.getLogger(TextSimilarity.class);

    /** How long a model that has failed is not asked to read texts again. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** More are texts of tools that are gone; a longer list is not compared. */
    private static final int MAX_TEXTS = 20_000;

    /** As many texts as are given to the model at once, so that documents need not wait long for their turn. */
    private static final int BATCH = 32;

    private final Supplier<Optional<Embedder>> embedders;
    private final Map<String, float[]> vectors = new ConcurrentHashMap<>();
    private final AtomicBoolean embedding = new AtomicBoolean();
    private volatile long resumeAt = System.nanoTime();

    /** By the embedder that {@code embedders} has when something is compared; without one nothing can be compared. */
    public TextSimilarity(Supplier<Optional<Embedder>> embedders) {
        this.embedders = embedders;
    }

    /**
     * The cosine of {@code query} with each of {@code texts}, in their order; normalized (0 for unrelated, 1 for related)
     * where the usual cosines of the model are known.
     *
     * @return empty without a model, while it has not read all texts, and where it can't be used now or does not know
     *     the query's script
     */
    public Future<Optional<double[]>> of(String query, List<String> texts) {
        return embedders
                .get()
                .map(embedder -> cosines(query, texts, embedder))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Optional<double[]>> cosines(String query, List<String> texts, Embedder embedder) {
        List<float[]> known = new ArrayList<>();
        Set<String> missing = new HashSet<>();
        for (String text : texts) {
            float[] vector = vectors.get(text);
            if (vector == null) {
                missing.add(text);
            } else {
                known.add(vector);
            }
        }
        if (!missing.isEmpty()) {
            if (texts.size() <= MAX_TEXTS) {
                embed(embedder, List.copyOf(missing), Set.copyOf(texts));
            }
            return Future.succeededFuture(Optional.empty());
        }
        return embedder.embedReadableQuery(query)
                .map(vector -> vector.map(values -> cosines(values, known, embedder.traits())))
                .otherwise(Optional.empty());
    }

    private static double[] cosines(float[] query, List<float[]> texts, ModelTraits traits) {
        Optional<CosineCalibration> usual = traits.cosines();
        return texts.stream()
                .mapToDouble(text -> Embedder.cosine(query, text))
                .map(cosine -> usual.map(known -> known.normalize(cosine)).orElse(cosine))
                .toArray();
    }

    private void embed(Embedder model, List<String> missing, Set<String> wanted) {
        if (System.nanoTime() - resumeAt < 0 || !embedding.compareAndSet(false, true)) {
            return;
        }
        if (vectors.size() + missing.size() > MAX_TEXTS) {
            vectors.keySet().retainAll(wanted);
        }
        Future.succeededFuture().compose(_ -> embedFrom(0, model, missing)).onComplete(done -> {
            if (done.failed()) {
                LOG.debug("Texts can't be embedded now", done.cause());
                resumeAt = System.nanoTime() + PAUSE_NANOS;
            }
            embedding.set(false);
        });
    }

    private Future<Void> embedFrom(int start, Embedder model, List<String> texts) {
        if (start >= texts.size()) {
            return Future.succeededFuture();
        }
        int end = Math.min(texts.size(), start + BATCH);
        List<String> batch = texts.subList(start, end);
        return model.embedDocuments(batch, EmbedListener.NONE).compose(embedded -> {
            for (int i = 0; i < batch.size(); i++) {
                vectors.put(batch.get(i), embedded.get(i));
            }
            return embedFrom(end, model, texts);
        });
    }
}
