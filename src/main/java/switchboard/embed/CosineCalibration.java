package switchboard.embed;

/**
 * The usual cosines of a model. They normalize its cosines, so that those of different models can be compared: some models
 * give .4 to texts that have nothing in common, others 0. Immutable.
 *
 * @param unrelated the usual cosine of a question and a passage about something else, -1 to 1
 * @param related the usual cosine of a question and a passage that answers it; higher than {@code unrelated}, at most 1
 */
public record CosineCalibration(double unrelated, double related) {
    public CosineCalibration {
        if (!(unrelated >= -1 && related <= 1 && unrelated < related)) {
            throw new IllegalArgumentException("cosines: unrelated must be lower than related, and both from -1 to 1: "
                    + unrelated + ", " + related);
        }
    }

    /** The normalized cosine: 0 for {@link #unrelated}, 1 for {@link #related}; may be lower or higher. */
    public double normalize(double cosine) {
        return (cosine - unrelated) / (related - unrelated);
    }

    /** The cosine that is normalized to {@code normalized}. */
    public double denormalize(double normalized) {
        return unrelated + normalized * (related - unrelated);
    }
}
