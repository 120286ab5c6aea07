package switchboard.federation;

import java.util.List;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;

/**
 * What one source gave, best first, at most one passage of each document.
 *
 * @param source which
 * @param weight what its scores are multiplied by
 * @param passages its passages
 * @param statistics of the query's words in it
 */
record RankedPassages(SearchSource source, double weight, List<Passage> passages, TermStatistics statistics) {
    RankedPassages {
        java.util.Set<String> seen = new java.util.HashSet<>();
        passages = passages.stream()
                .filter(passage -> seen.add(passage.document()))
                .toList();
    }

    DocumentUri address(Passage passage) {
        return new DocumentUri(source.backend(), source.about().name(), passage.document());
    }
}
