package switchboard.store;

import java.util.List;
import java.util.Optional;

/**
 * What a search found, by document.
 *
 * @param documents those with the best chunks first
 * @param chunks how many chunks were found
 * @param vectorsNotUsed see {@link SearchResult}
 * @param leftOut see {@link SearchResult#leftOut}
 */
public record DocumentScores(
        List<Scores> documents, int chunks, Optional<String> vectorsNotUsed, Optional<String> leftOut) {
    public DocumentScores {
        documents = List.copyOf(documents);
    }

    /**
     * A document whose chunks were found.
     *
     * @param namespace where it is
     * @param id its id
     * @param source its source
     * @param scores of its chunks, best first
     */
    public record Scores(Namespace namespace, String id, String source, List<Double> scores) {}
}
