package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.Readiness;
import switchboard.embed.TokenCounter;

/** Gives every text the same vector, the one that the recordings search with. */
final class FixedEmbedder implements Embedder {
    private static final float[] VECTOR = {1, 0.2f, 0};

    private final List<String> texts = new CopyOnWriteArrayList<>();

    /** What was embedded. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public String model() {
        return "fixed";
    }

    @Override
    public int dimension() {
        return VECTOR.length;
    }

    @Override
    public int maxTokens() {
        return 512;
    }

    @Override
    public TokenCounter tokens() {
        throw new UnsupportedOperationException("not asked for");
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
        texts.add(text);
        return Future.succeededFuture(VECTOR.clone());
    }

    @Override
    public Future<List<float[]>> embedDocuments(List<String> documents, EmbedListener listener) {
        texts.addAll(documents);
        return Future.succeededFuture(
                documents.stream().map(_ -> VECTOR.clone()).toList());
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
