package switchboard.backend.vectordb;

import java.util.Locale;
import switchboard.store.Fusion;

/** The fusion methods that configuration and callers may choose. */
public enum FusionChoice {
    /** Weighted scores. */
    LINEAR,
    /** Reciprocal rank fusion with k = 60. */
    RRF;

    private static final int RRF_K = 60;

    /** The method of that name in the tool's schema. */
    static FusionChoice of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    Fusion fusion(VectordbSettings.Ranking weights) {
        return switch (this) {
            case LINEAR ->
                new Fusion.WeightedSum(
                        weights.vectors(),
                        weights.bigrams(),
                        weights.proximity(),
                        weights.feedback(),
                        weights.neighbours(),
                        weights.document());
            case RRF -> new Fusion.ReciprocalRank(RRF_K);
        };
    }
}
