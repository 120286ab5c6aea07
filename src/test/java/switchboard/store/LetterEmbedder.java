package switchboard.store;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.ModelReadiness;
import switchboard.embed.TokenCounter;

/** A model that counts letters. */
final class LetterEmbedder implements Embedder {
    @Override
    public String model() {
        return "letters";
    }

    @Override
    public int dimension() {
        return 26;
    }

    @Override
    public int maxTokens() {
        return 512;
    }

    @Override
    public TokenCounter tokens() {
        return text -> IntStream.range(0, text.length()).toArray();
    }

    @Override
    public ModelReadiness readiness() {
        return new ModelReadiness.Ready();
    }

    @Override
    public Future<Void> warmUp() {
        return Future.succeededFuture();
    }

    float[] vector(String text) {
        float[] counts = new float[26];
        text.chars().filter(c -> c >= 'a' && c <= 'z').forEach(c -> counts[c - 'a']++);
        double square = 0;
        for (float count : counts) {
            square += count * count;
        }
        for (int i = 0; i < 26; i++) {
            counts[i] /= (float) Math.sqrt(square);
        }
        return counts;
    }

    @Override
    public Future<float[]> embedQuery(String text) {
        return Future.succeededFuture(vector(text));
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
        return Future.succeededFuture(texts.stream().map(this::vector).toList());
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
