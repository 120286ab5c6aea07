package switchboard.federation;

import java.util.OptionalDouble;

/** Normalises cosines, so that those of different models can be compared. Works for models whose usual cosines are known. Thread-safe. */
@FunctionalInterface
public interface CosineNormalizer {
    /**
     * The normalised cosine: 0 for unrelated and 1 for related texts, or beyond; empty if the usual cosines of {@code model} are
     * not known.
     */
    OptionalDouble of(String model, double cosine);
}
