package switchboard.federation;

import java.util.OptionalDouble;

/** Tells what the cosines of models mean, as far as somebody has measured it. */
@FunctionalInterface
public interface CosinePlace {
    /**
     * The place of a cosine between those of unrelated and of related texts: 0 and 1, or beyond; empty if that is not known of
     * {@code model}.
     */
    OptionalDouble of(String model, double cosine);
}
