package switchboard.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A chunk that a search found.
 *
 * @param chunk the chunk, with its document
 * @param score the hits are ordered by it; comparable within one search only
 * @param keyword rank and score of keyword retrieval; empty if the chunk has none of the query's terms, or keywords
 *     were not used
 * @param vector rank and score of vector retrieval; empty if the chunk has no vector, or vectors were not used
 * @param relevance whether it is about the query, 0 to 1: see {@link Relevance}; empty if that is not known
 * @param copies other documents that were found with the same text, best first, at most {@value #MAX_COPIES}; empty unless
 *     {@link SearchRequest.Copies#FOLDED}
 */
public record Hit(
        StoredChunk chunk,
        double score,
        Optional<Retriever> keyword,
        Optional<VectorMatch> vector,
        OptionalDouble relevance,
        List<StoredDocument> copies) {
    /** Maximum number of copies that are named. */
    public static final int MAX_COPIES = 20;

    public Hit {
        copies = List.copyOf(copies);
    }

    /**
     * Rank and score of a hit in keyword retrieval.
     *
     * @param rank from 1; 0 for a chunk that only vectors found
     * @param score BM25
     */
    public record Retriever(int rank, double score) {}

    /**
     * Rank and score of a hit in vector retrieval.
     *
     * @param rank from 1; 0 for a chunk that only words found
     * @param score the cosine
     * @param model the model whose vectors were compared
     */
    public record VectorMatch(int rank, double score, String model) {}
}
