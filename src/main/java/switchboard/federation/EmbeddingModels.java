package switchboard.federation;

import java.util.Optional;
import java.util.OptionalDouble;

/** What is known of the models that made the vectors of passages. Thread-safe. */
@FunctionalInterface
public interface EmbeddingModels {
    /**
     * The normalised cosine, so that those of different models can be compared: 0 for unrelated and 1 for related texts, or
     * beyond; empty if the usual cosines of {@code model} are not known.
     */
    OptionalDouble normalized(String model, double cosine);

    /**
     * What the cosines of {@code model} count for a query, as a fraction of the configured weight, 0 to 1; 1 for an unknown model.
     *
     * @param language the query's language, as a code of ISO 639-1; empty for English, and if the query does not tell
     */
    default double weight(String model, Optional<String> language) {
        return 1;
    }
}
