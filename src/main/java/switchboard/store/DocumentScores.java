package switchboard.store;

import java.util.List;
import java.util.Optional;

/**
 * The result of a search, grouped by document.
 *
 * @param documents ordered by their best chunk
 * @param chunks how many chunks were found
 * @param vectorsNotUsed see {@link SearchResult}
 * @param leftOut what was searched of a long query, what was corrected in it, and what was not searched: see
 *     {@link SearchResult#shortened}, {@link SearchResult#corrected} and {@link SearchResult#leftOut}
 * @param byWordsAlone whether no vectors were compared
 */
public record DocumentScores(
        List<Scores> documents,
        int chunks,
        Optional<String> vectorsNotUsed,
        Optional<String> leftOut,
        boolean byWordsAlone) {
    public DocumentScores {
        documents = List.copyOf(documents);
    }

    /** The same, which says that less was searched than is stored. */
    public DocumentScores limited(Optional<String> why) {
        return new DocumentScores(
                documents, chunks, vectorsNotUsed, SearchResult.sentences(leftOut, why), byWordsAlone);
    }

    /**
     * A document with the scores of its chunks.
     *
     * @param namespace its namespace
     * @param id its id
     * @param source its source
     * @param best how far its best chunk is from its end: 1 for the last chunk
     * @param scores scores of the chunks that were found, best first
     */
    public record Scores(Namespace namespace, String id, String source, int best, List<Double> scores) {}
}
