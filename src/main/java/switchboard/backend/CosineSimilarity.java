package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;

/** Computes the cosine with a vector that an engine returned as JSON. */
public final class CosineSimilarity {
    private CosineSimilarity() {}

    /** Empty if {@code stored} is not an array of the same length, or is a zero vector. */
    public static OptionalDouble of(float[] query, JsonNode stored) {
        if (!stored.isArray() || stored.size() != query.length) {
            return OptionalDouble.empty();
        }
        double product = 0;
        double mine = 0;
        double theirs = 0;
        for (int i = 0; i < query.length; i++) {
            double value = stored.get(i).asDouble();
            product += query[i] * value;
            mine += (double) query[i] * query[i];
            theirs += value * value;
        }
        return mine == 0 || theirs == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(product / Math.sqrt(mine * theirs));
    }
}
