package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import switchboard.call.Passage;

/**
 * The vector of a query.
 *
 * @param model which made it
 * @param values its numbers; must not be changed
 */
public record EmbeddedQuery(String model, float[] values) {
    /** How near it is to the vector {@code stored}, an array of numbers; null if that is none of its length. */
    public Passage.@Nullable Similarity similarity(JsonNode stored) {
        OptionalDouble cosine = Cosine.of(values, stored);
        return cosine.isPresent() ? new Passage.Similarity(model, cosine.getAsDouble()) : null;
    }
}
