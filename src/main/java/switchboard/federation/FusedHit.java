package switchboard.federation;

import java.util.Comparator;
import java.util.List;

/**
 * A document in the common order.
 *
 * @param best the passage it is shown by
 * @param score what it is ordered by; comparable within one search
 * @param others the same document elsewhere, best first
 */
record FusedHit(Candidate best, double score, List<Candidate> others) {
    /** Best first; ties by address, so that the order never depends on who answered first. */
    static final Comparator<FusedHit> ORDER = Comparator.comparingDouble(FusedHit::score)
            .reversed()
            .thenComparing(fusedHit -> fusedHit.best().address());

    static FusedHit of(Candidate candidate, double score) {
        return new FusedHit(candidate, candidate.weight() * score, List.of());
    }

    FusedHit {
        others = List.copyOf(others);
    }
}
