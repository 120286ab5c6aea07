package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import switchboard.call.Passage;
import switchboard.embed.Embedder;

/**
 * A query with its vector.
 *
 * @param model the model that computed it
 * @param values the vector; must not be changed
 */
public record QueryEmbedding(String model, float[] values) {
    /** The query {@code text} with its vector; empty without an embedder, or if that does not know the query's script. */
    public static Future<Optional<QueryEmbedding>> of(String text, Optional<Embedder> embedder) {
        return embedder.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : embedder.get()
                        .embedReadableQuery(text)
                        .map(vector -> vector.map(
                                values -> new QueryEmbedding(embedder.get().model(), values)));
    }

    /**
     * The similarity to the vector {@code stored}, an array of numbers; null if that is not a vector of the same
     * length.
     */
    public Passage.@Nullable Similarity similarity(JsonNode stored) {
        OptionalDouble cosine = CosineSimilarity.of(values, stored);
        return cosine.isPresent() ? new Passage.Similarity(model, cosine.getAsDouble()) : null;
    }
}
