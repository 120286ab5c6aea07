package switchboard.embed;

import java.util.Optional;
import switchboard.config.EmbedderConfig;

/**
 * What is known of a model, and how its cosines are used. Immutable.
 *
 * @param languages what it was trained on
 * @param cosines its usual cosines; empty if they are not known
 * @param weight what its cosines count in hybrid search, as a fraction of the configured weight, 0 to 1: less than 1 for a model
 *     that keyword search is better than
 * @param sentences whether sentences of chunks have vectors, too, and a query is compared with the nearest
 */
public record ModelTraits(
        ModelLanguages languages, Optional<CosineCalibration> cosines, double weight, boolean sentences) {
    /** An unknown model, which is treated as one that knows all languages. */
    public static final ModelTraits UNKNOWN = new ModelTraits(ModelLanguages.ALL, Optional.empty());

    /**
     * What a cosine is worth in a language that the model was not trained on, compared with one that it was trained on.
     * Measured with the shipped model on German, Spanish and Russian; see docs/languages.md.
     */
    private static final double UNTRAINED = 0.7;

    /** A model whose cosines count as configured. */
    public ModelTraits(ModelLanguages languages, Optional<CosineCalibration> cosines) {
        this(languages, cosines, 1, false);
    }

    /** The same with another weight. */
    public ModelTraits withWeight(double other) {
        return new ModelTraits(languages, cosines, other, sentences);
    }

    /** The same where queries are compared with sentences. */
    public ModelTraits withSentences() {
        return new ModelTraits(languages, cosines, weight, true);
    }

    /**
     * What its cosines count in hybrid search for a query in {@code language}, as a fraction of the configured weight.
     *
     * @param language a code of ISO 639-1; empty for English, and if the query does not tell
     */
    public double weight(Optional<String> language) {
        return weight * languageWeight(language);
    }

    /** What its cosines are worth for a query in {@code language}, compared with a language that it was trained on. */
    public double languageWeight(Optional<String> language) {
        return language.isEmpty() || languages.include(language.get()) ? 1 : UNTRAINED;
    }

    /**
     * These, or what the configuration says instead.
     *
     * @throws IllegalArgumentException with a message for the operator that names what is wrong
     */
    ModelTraits configured(EmbedderConfig config) {
        EmbedderConfig.Cosines said = config.cosines();
        return new ModelTraits(
                languages.configured(config),
                said == null ? cosines : Optional.of(new CosineCalibration(said.unrelated(), said.related())),
                weight,
                config.sentences() == null ? sentences : config.sentences());
    }
}
