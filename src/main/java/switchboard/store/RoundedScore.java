package switchboard.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Scores as results show them. Callers pay for each digit, and more than five decimals mean nothing. */
public final class RoundedScore {
    private static final double DECIMALS = 100_000;

    private RoundedScore() {}

    /** The score, rounded to five decimals. */
    public static double of(double score) {
        return Math.round(score * DECIMALS) / DECIMALS;
    }

    /** With five decimals; null if there is none. */
    public static @Nullable Double of(Optional<Double> score) {
        return score.map(RoundedScore::of).orElse(null);
    }
}
