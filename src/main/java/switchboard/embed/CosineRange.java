package switchboard.embed;

/**
 * The usual cosines of a model, for comparing those of different models. Some models give .4 to texts that have nothing in
 * common, others 0. Immutable.
 *
 * @param unrelated the usual cosine of a question and a passage about something else, -1 to 1
 * @param related the usual cosine of a question and a passage that answers it; higher than {@code unrelated}, at most 1
 */
public record CosineRange(double unrelated, double related) {
    public CosineRange {
        if (!(unrelated >= -1 && related <= 1 && unrelated < related)) {
            throw new IllegalArgumentException("cosines: unrelated must be lower than related, and both from -1 to 1: "
                    + unrelated + ", " + related);
        }
    }

    /** The place of a cosine in the range: 0 for {@link #unrelated}, 1 for {@link #related}; may be lower or higher. */
    public double place(double cosine) {
        return (cosine - unrelated) / (related - unrelated);
    }

    /** The cosine at a place: the opposite of {@link #place}. */
    public double at(double place) {
        return unrelated + place * (related - unrelated);
    }
}
