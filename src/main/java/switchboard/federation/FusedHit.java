package switchboard.federation;

import java.util.Comparator;
import java.util.List;

/**
 * A document in the merged ranking.
 *
 * @param best its best passage
 * @param score hits are ordered by it; comparable within one search
 * @param others copies of the document, best first
 */
record FusedHit(Candidate best, double score, List<Candidate> others) {
    /** Best first. Ties are ordered by address, so the order never depends on which source answered first. */
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
