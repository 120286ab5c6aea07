package switchboard.backend.postgres;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A vector to search for, with the original digits of its numbers. Immutable.
 *
 * @param numbers in PostgreSQL's number format
 */
record QueryVector(List<String> numbers) {
    /** The vector that a caller gave. */
    static QueryVector of(List<BigDecimal> numbers) {
        return new QueryVector(numbers.stream().map(BigDecimal::toString).toList());
    }

    /** The vector that an embedder made. */
    static QueryVector of(float[] vector) {
        List<String> numbers = new ArrayList<>(vector.length);
        for (float number : vector) {
            numbers.add(Float.toString(number));
        }
        return new QueryVector(numbers);
    }

    int dimensions() {
        return numbers.size();
    }

    /** As pgvector's {@code vector} and {@code halfvec} are written. */
    String dense() {
        return "[" + String.join(",", numbers) + "]";
    }

    /** As its {@code sparsevec} is written. */
    String sparse() {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            if (new BigDecimal(numbers.get(i)).signum() != 0) {
                entries.add((i + 1) + ":" + numbers.get(i));
            }
        }
        return "{" + String.join(",", entries) + "}/" + numbers.size();
    }
}
