package switchboard.compose;

import java.util.Comparator;
import java.util.List;

/**
 * A document in the common order.
 *
 * @param best the passage it is shown by
 * @param score what it is ordered by; comparable within one search
 * @param others the same document elsewhere, best first
 */
record Fused(Candidate best, double score, List<Candidate> others) {
    /** Best first; ties by address, so that the order never depends on who answered first. */
    static final Comparator<Fused> ORDER = Comparator.comparingDouble(Fused::score)
            .reversed()
            .thenComparing(fused -> fused.best().address());

    static Fused of(Candidate candidate, double score) {
        return new Fused(candidate, candidate.weight() * score, List.of());
    }

    Fused {
        others = List.copyOf(others);
    }
}
