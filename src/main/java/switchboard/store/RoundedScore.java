package switchboard.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.ScorePart;

/** Scores as results show them. Callers pay for each digit, and more than five decimals mean nothing. */
public final class RoundedScore {
    private static final double DECIMALS = 100_000;

    private RoundedScore() {}

    /** The score, rounded to five decimals. */
    public static double of(double score) {
        return Math.round(score * DECIMALS) / DECIMALS;
    }

    /** The parts of a score, each rounded to five decimals. */
    public static List<ScorePart> of(List<ScorePart> parts) {
        return parts.stream()
                .map(part -> new ScorePart(part.name(), of(part.value())))
                .toList();
    }

    /** With five decimals; null if there is none. */
    public static @Nullable Double of(Optional<Double> score) {
        return score.map(RoundedScore::of).orElse(null);
    }
}
