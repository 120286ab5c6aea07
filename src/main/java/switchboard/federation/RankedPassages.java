package switchboard.federation;

import java.util.List;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;
import switchboard.store.PerDocumentLimit;

/**
 * The results of one source, best first.
 *
 * @param source the source
 * @param weight factor for its scores
 * @param passages its passages
 * @param statistics statistics of the query's words in it
 */
record RankedPassages(SearchSource source, double weight, List<Passage> passages, TermStatistics statistics) {
    RankedPassages {
        passages = List.copyOf(passages);
    }

    /**
     * The same with at most {@code perDocument} passages of each document, 0 for no limit. Those that the rules hide or demote
     * take no place, and stay: they are counted, or get what is left.
     */
    RankedPassages limited(int perDocument, SignalTreatments treatments) {
        PerDocumentLimit<String> places = new PerDocumentLimit<>(perDocument);
        return new RankedPassages(
                source,
                weight,
                passages.stream()
                        .filter(passage -> treatments.moves(passage) || places.take(passage.document(), List.of()))
                        .toList(),
                statistics);
    }

    DocumentUri address(Passage passage) {
        return new DocumentUri(source.backend(), source.about().name(), passage.document());
    }
}
