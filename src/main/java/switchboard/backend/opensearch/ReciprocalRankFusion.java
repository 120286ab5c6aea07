package switchboard.backend.opensearch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import switchboard.backend.opensearch.FoundHits.EngineHit;

/**
 * Reciprocal rank fusion of two searches of one engine (Cormack, Clarke and Büttcher, SIGIR 2009): each hit scores the sum of
 * 1 / (60 + rank), because the scores of keywords and of vectors can't be compared.
 */
final class ReciprocalRankFusion {
    private static final int RANK_CONSTANT = 60;

    private ReciprocalRankFusion() {}

    private record Fused(EngineHit hit, double score) {
        Fused and(Fused other) {
            return new Fused(hit.with(other.hit), score + other.score);
        }
    }

    /** The hits of all {@code lists}, best first; those with equal scores in the order of their first list. */
    static List<EngineHit> of(List<List<EngineHit>> lists) {
        Map<List<String>, Fused> byDocument = new LinkedHashMap<>();
        for (List<EngineHit> list : lists) {
            for (int rank = 1; rank <= list.size(); rank++) {
                EngineHit hit = list.get(rank - 1);
                byDocument.merge(hit.place(), new Fused(hit, 1.0 / (RANK_CONSTANT + rank)), Fused::and);
            }
        }
        List<Fused> all = new ArrayList<>(byDocument.values());
        all.sort(Comparator.comparingDouble(Fused::score).reversed());
        return all.stream().map(fused -> fused.hit().scored(fused.score())).toList();
    }
}
