package switchboard.embed;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.call.Health;

/**
 * Computes vectors of texts with one model. Vectors have unit length, so that the dot product is the cosine. The same
 * text always gets the same vector, whatever else is embedded at the time.
 *
 * <p>Thread-safe; nothing here blocks except {@link #tokens}. Models are loaded or connected on first use. Failures
 * are {@link switchboard.call.ToolException}: {@code UNAVAILABLE} if the model can't be loaded or reached, {@code
 * OVERLOADED} if too many texts wait, {@code CANCELLED} if the listener cancelled.
 */
public interface Embedder {
    /** The model's name, stored with every vector. Embedders with the same name produce comparable vectors. */
    String model();

    /** The number of dimensions; known without loading the model. */
    int dimension();

    /**
     * The maximum input in tokens as counted by {@link #tokens}, without special tokens. Longer input is cut at its
     * end.
     */
    int maxTokens();

    /** Languages and usual cosines of the model. */
    default ModelTraits traits() {
        return ModelTraits.UNKNOWN;
    }

    /** The model's token counter. The first call may load a vocabulary, so don't call it on an event loop. */
    TokenCounter tokens();

    /** Whether the model can be used now. */
    ModelReadiness readiness();

    /**
     * Requests a vector now, even if the provider is not called for a while; bypasses caches. Empty if the model runs in
     * this process. The future never fails: its result says why there is no vector, and what the operator can do.
     */
    default Optional<Future<Health>> check() {
        return Optional.empty();
    }

    /** Loads or connects the model once, in the background; later calls return the same future. It fails with the reason. */
    Future<Void> warmUp();

    /** The vector of a query. */
    Future<float[]> embedQuery(String text);

    /** The vectors of documents, in the order of {@code texts}; all or none. */
    Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener);

    /** The vector of a query, or none if it is in a script that the model does not know. */
    default Future<Optional<float[]>> embedReadableQuery(String text) {
        return traits().languages().scripts().cover(text)
                ? embedQuery(text).map(Optional::of)
                : Future.succeededFuture(Optional.empty());
    }

    /** The cosine of two of its vectors. */
    static double cosine(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += (double) one[i] * other[i];
        }
        return sum;
    }

    /** Releases the model. Later calls fail with {@code UNAVAILABLE}. */
    Future<Void> close();
}
