package switchboard.store;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Computes whether a passage is about the query, as a number from 0 to 1. Unlike a score it means the same in every search: a
 * logistic regression on judged passages against the best hits of questions about something else, with equal weight for
 * each judged set. bench/results.md has the figures.
 */
public final class Relevance {
    private static final double COSINE = 6;
    private static final double WORDS = 14;
    private static final double BOTH = -4.5;

    private static final double WORDS_ALONE = 25;
    private static final double ALONE = -4;

    private Relevance() {}

    /**
     * The relevance of a passage whose vector was compared with the query's.
     *
     * @param cosine the normalized cosine: see {@link switchboard.embed.CosineCalibration#normalize}
     * @param words the passage's BM25, divided by the sum of the idf of all words of the query, 0 to 1. Words that no
     *     passage has count, too
     */
    public static double of(double cosine, double words) {
        return logistic(COSINE * cosine + WORDS * words + BOTH);
    }

    /** The relevance by words alone, for a passage without a vector. */
    public static double ofWords(double words) {
        return logistic(WORDS_ALONE * words + ALONE);
    }

    /**
     * The relevance by what is known, with the three decimals that results show, so that a hit which shows what was requested
     * is not left out; empty if there is only a cosine, and it can't be normalized.
     *
     * @param cosine see {@link #of}; empty if there is no vector, or its model's usual cosines are not known
     * @param compared whether a vector was compared
     */
    public static OptionalDouble of(OptionalDouble cosine, double words, boolean compared) {
        if (cosine.isPresent()) {
            return OptionalDouble.of(rounded(of(cosine.getAsDouble(), words)));
        }
        return compared && words == 0 ? OptionalDouble.empty() : OptionalDouble.of(rounded(ofWords(words)));
    }

    /** As results show it; null if it is not known. */
    public static @Nullable Double shown(OptionalDouble relevance) {
        return relevance.isPresent() ? relevance.getAsDouble() : null;
    }

    /**
     * What results say if nothing that was found is as relevant as requested.
     *
     * @param best the most relevant of it; empty if the relevance of none is known
     */
    public static String tooLow(double least, OptionalDouble best) {
        return best.isEmpty()
                ? "The relevance of the results is not known, so min_relevance leaves all of them out. The operator can say what"
                        + " cosines of the model mean: embedders.<name>.cosines."
                : "No result reaches min_relevance " + least + ": the best result has " + best.getAsDouble()
                        + ". Ask in other words, or with a lower min_relevance.";
    }

    private static double rounded(double relevance) {
        return Math.round(relevance * 1000) / 1000.0;
    }

    private static double logistic(double value) {
        return 1 / (1 + Math.exp(-value));
    }
}
