package switchboard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import switchboard.embed.TokenCounter;

/**
 * Leaves out of rankings what is less relevant than requested. One or two words that no searched chunk has, such as a name
 * or a slip of the keyboard, only find what is at least {@value #TERM} relevant: the nearest vectors of such a query are
 * near by chance. If the model only spells them, it is {@value #SPELLED_TERM}. Longer queries say more, so their hits are all
 * shown. bench/results.md has the figures.
 */
final class RelevanceThreshold {
    /** The relevance, from 0 to 1, that a hit of a query of one or two unknown words has at least. */
    static final double TERM = 0.05;

    /** The same where each model that was asked {@linkplain TokenCounter#spells spells} the query. */
    static final double SPELLED_TERM = 0.3;

    private static final int TERM_WORDS = 2;

    private final double least;
    private final double floor;

    private int dropped;
    private int unknown;
    private double best;

    private RelevanceThreshold(double least, double floor) {
        this.least = least;
        this.floor = floor;
    }

    /** The floor that keeps hits of relevance {@code least} or more; 0 keeps all. */
    static RelevanceThreshold at(double least) {
        return new RelevanceThreshold(least, least);
    }

    /** The floor of {@code request}, of whose query the index has {@code words}. */
    static RelevanceThreshold of(SearchRequest request, QueryWords words) {
        double least = request.limits().minRelevance();
        if (!words.known().isEmpty() || words.words().size() > TERM_WORDS) {
            return at(least);
        }
        boolean spelled =
                request.vectors().stream().allMatch(vector -> vector.tokens().spells(request.query()));
        return new RelevanceThreshold(least, Math.max(spelled ? SPELLED_TERM : TERM, least));
    }

    /** The chunks of {@code ranking} that are relevant enough, in its order. */
    List<ScoredChunk> keep(List<ScoredChunk> ranking, Candidates candidates) {
        if (floor == 0) {
            return ranking;
        }
        dropped = 0;
        unknown = 0;
        best = 0;
        List<ScoredChunk> kept = new ArrayList<>();
        for (ScoredChunk one : ranking) {
            OptionalDouble relevance = candidates.relevance(one.chunk());
            if (relevance.orElse(least > 0 ? -1 : 1) >= floor) {
                kept.add(one);
            } else {
                dropped++;
                unknown += relevance.isEmpty() ? 1 : 0;
                best = Math.max(best, relevance.orElse(0));
            }
        }
        return kept;
    }

    /** Whether the last ranking had chunks that were not relevant enough, so that deeper ones are not, either. */
    boolean reached() {
        return dropped > 0;
    }

    /** Why nothing of the last ranking was kept; empty if nothing was left out. */
    Optional<String> reason() {
        if (dropped == 0) {
            return Optional.empty();
        }
        if (least == 0) {
            return Optional.of(
                    "No searched document has a word of the query or a similar one, and none is near it in meaning.");
        }
        return Optional.of(
                Relevance.tooLow(least, unknown == dropped ? OptionalDouble.empty() : OptionalDouble.of(best)));
    }
}
