package switchboard.federation;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import switchboard.call.HitSide;
import switchboard.store.PerDocumentLimit;

/**
 * A passage in the merged ranking.
 *
 * @param best the passage where it scores best
 * @param score hits are ordered by it, unless two rankings are mixed; comparable within one search
 * @param relevance see {@link switchboard.store.Relevance}; empty if it is not known
 * @param others the same in other sources, best first
 * @param side which ranking put it here, where two are mixed; otherwise both
 */
record FusedHit(Candidate best, double score, OptionalDouble relevance, List<Candidate> others, HitSide side) {
    /**
     * Best first. Ties are ordered by the rank in their source, then by address. So the order never depends on which source
     * answered first, and of two hits of one source never on their ids.
     */
    static final Comparator<FusedHit> ORDER = Comparator.comparingDouble(FusedHit::score)
            .reversed()
            .thenComparingInt(fusedHit -> fusedHit.best().rank())
            .thenComparing(fusedHit -> fusedHit.best().address());

    /** A hit of a single ranking. */
    FusedHit(Candidate best, double score, OptionalDouble relevance, List<Candidate> others) {
        this(best, score, relevance, others, HitSide.BOTH);
    }

    static FusedHit of(Candidate candidate, double score, OptionalDouble relevance) {
        return new FusedHit(candidate, candidate.weight() * score, relevance, List.of());
    }

    FusedHit {
        others = List.copyOf(others);
    }

    /** Takes a place of its document; false if there is none left. */
    boolean take(PerDocumentLimit<DocumentUri> places) {
        return places.take(best.address(), copies());
    }

    /** The hits of at least this relevance, in order; 0 for all, also those whose relevance is not known. */
    static List<FusedHit> relevant(List<FusedHit> hits, double least) {
        return least == 0
                ? hits
                : hits.stream()
                        .filter(hit -> hit.relevance().orElse(0) >= least)
                        .toList();
    }

    /** The same, put where it is by {@code other}. */
    FusedHit by(HitSide other) {
        return new FusedHit(best, score, relevance, others, other);
    }

    /** The same with another score. */
    FusedHit scored(double other) {
        return new FusedHit(best, other, relevance, others, side);
    }

    /** The addresses of all copies. */
    List<DocumentUri> copies() {
        return Stream.concat(
                        others.stream().map(Candidate::address),
                        Stream.concat(Stream.of(best), others.stream())
                                .flatMap(candidate -> candidate.copies().stream()))
                .toList();
    }
}
