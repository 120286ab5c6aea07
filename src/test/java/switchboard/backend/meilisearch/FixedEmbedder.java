package switchboard.backend.meilisearch;

import io.vertx.core.Future;
import java.util.List;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.Readiness;
import switchboard.embed.TokenCounter;

/** Gives the same vector for every text. */
record FixedEmbedder(float[] vector) implements Embedder {
    @Override
    public String model() {
        return "fixed";
    }

    @Override
    public int dimension() {
        return vector.length;
    }

    @Override
    public int maxTokens() {
        return 100;
    }

    @Override
    public TokenCounter tokens() {
        return _ -> new int[0];
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Ready();
    }

    @Override
    public Future<Void> warmUp() {
        return Future.succeededFuture();
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        return Future.succeededFuture(vector.clone());
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
        return Future.succeededFuture(texts.stream().map(_ -> vector.clone()).toList());
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
