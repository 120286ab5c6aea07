package switchboard.app;

import java.util.Optional;
import java.util.OptionalDouble;
import switchboard.embed.Embedders;
import switchboard.federation.EmbeddingModels;

/** The models of the configuration, for passages of any backend. */
record ConfiguredModels(Embedders embedders) implements EmbeddingModels {
    @Override
    public OptionalDouble normalized(String model, double cosine) {
        return embedders
                .traits(model)
                .flatMap(traits -> traits.cosines().stream())
                .mapToDouble(calibration -> calibration.normalize(cosine))
                .findFirst();
    }

    @Override
    public double weight(String model, Optional<String> language) {
        return embedders
                .traits(model)
                .mapToDouble(traits -> traits.weight(language))
                .findFirst()
                .orElse(1);
    }
}
