package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import switchboard.call.Passage;

/**
 * A query with its vector.
 *
 * @param model the model that computed it
 * @param values the vector; must not be changed
 */
public record EmbeddedQuery(String model, float[] values) {
    /**
     * The similarity to the vector {@code stored}, an array of numbers; null if that is not a vector of the same
     * length.
     */
    public Passage.@Nullable Similarity similarity(JsonNode stored) {
        OptionalDouble cosine = Cosine.of(values, stored);
        return cosine.isPresent() ? new Passage.Similarity(model, cosine.getAsDouble()) : null;
    }
}
