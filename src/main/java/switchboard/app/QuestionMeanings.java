package switchboard.app;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import switchboard.embed.CosineCalibration;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.insight.SearchGaps;

/**
 * Compares questions by the vectors of a model whose usual cosines are known; without one they can't be compared.
 *
 * @param embedder the model to use
 */
record QuestionMeanings(Supplier<Optional<Embedder>> embedder) implements SearchGaps.Meanings {
    /** As many texts as are given to the model at once, so that others need not wait long for their turn. */
    private static final int BATCH = 32;

    @Override
    public Future<Optional<SearchGaps.PairCloseness>> of(List<String> texts) {
        return embedder.get()
                .filter(_ -> !texts.isEmpty())
                .flatMap(model -> model.traits().cosines().map(usual -> closeness(model, usual, texts)))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private static Future<Optional<SearchGaps.PairCloseness>> closeness(
            Embedder model, CosineCalibration usual, List<String> texts) {
        return vectors(model, texts, new ArrayList<>())
                .map(vectors -> Optional.of(
                        (one, other) -> usual.normalize(Embedder.cosine(vectors.get(one), vectors.get(other)))));
    }

    private static Future<List<float[]>> vectors(Embedder model, List<String> texts, List<float[]> known) {
        if (known.size() == texts.size()) {
            return Future.succeededFuture(known);
        }
        List<String> batch = texts.subList(known.size(), Math.min(texts.size(), known.size() + BATCH));
        return model.embedDocuments(batch, EmbedListener.NONE).compose(vectors -> {
            known.addAll(vectors);
            return vectors(model, texts, known);
        });
    }
}
