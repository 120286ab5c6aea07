package switchboard.embed;

import java.util.Optional;
import switchboard.config.EmbedderConfig;

/**
 * Languages, usual cosines and weight of a model. Immutable.
 *
 * @param languages what it was trained on
 * @param cosines its usual cosines; empty if they are not known
 * @param weight what its cosines count in hybrid search, as a fraction of the configured weight, 0 to 1: less than 1 for a model
 *     that keyword search is better than
 */
public record ModelTraits(ModelLanguages languages, Optional<CosineCalibration> cosines, double weight) {
    /** An unknown model, which is treated as one that knows all languages. */
    public static final ModelTraits UNKNOWN = new ModelTraits(ModelLanguages.ALL, Optional.empty());

    /** A model whose cosines count as configured. */
    public ModelTraits(ModelLanguages languages, Optional<CosineCalibration> cosines) {
        this(languages, cosines, 1);
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
                weight);
    }
}
