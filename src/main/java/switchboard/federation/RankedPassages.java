package switchboard.federation;

import java.util.List;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;

/**
 * The results of one source, best first, with at most one passage of each document.
 *
 * @param source the source
 * @param weight factor for its scores
 * @param passages its passages
 * @param statistics statistics of the query's words in it
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
