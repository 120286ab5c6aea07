package switchboard.embed;

import java.util.Optional;
import switchboard.config.EmbedderConfig;

/**
 * Languages and usual cosines of a model. Immutable.
 *
 * @param languages what it was trained on
 * @param cosines its usual cosines; empty if they are not known
 */
public record ModelTraits(ModelLanguages languages, Optional<CosineCalibration> cosines) {
    /** An unknown model, which is treated as one that knows all languages. */
    public static final ModelTraits UNKNOWN = new ModelTraits(ModelLanguages.ALL, Optional.empty());

    /**
     * These, or what the configuration says instead.
     *
     * @throws IllegalArgumentException with a message for the operator that names what is wrong
     */
    ModelTraits configured(EmbedderConfig config) {
        EmbedderConfig.Cosines said = config.cosines();
        return new ModelTraits(
                languages.configured(config),
                said == null ? cosines : Optional.of(new CosineCalibration(said.unrelated(), said.related())));
    }
}
