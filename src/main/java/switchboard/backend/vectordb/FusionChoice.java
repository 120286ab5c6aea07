package switchboard.backend.vectordb;

import java.util.Locale;
import switchboard.store.Fusion;

/** The ways of combining two rankings that configuration and callers may name. */
public enum FusionChoice {
    /** Weighted scores. */
    LINEAR,
    /** Reciprocal rank fusion with k = 60. */
    RRF;

    private static final int RRF_K = 60;

    /** The choice of that word, one of those in the tool's schema. */
    static FusionChoice of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    Fusion fusion(VectordbSettings.Ranking weights) {
        return switch (this) {
            case LINEAR ->
                new Fusion.WeightedSum(weights.vectors(), weights.bigrams(), weights.feedback(), weights.neighbours());
            case RRF -> new Fusion.ReciprocalRank(RRF_K);
        };
    }
}
