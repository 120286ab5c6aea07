package switchboard.store;

import java.util.Optional;

/**
 * A chunk that a search found.
 *
 * @param chunk the chunk, with its document
 * @param score the hits are ordered by it; comparable within one search only
 * @param keyword rank and score of keyword retrieval; empty if the chunk has none of the query's terms, or keywords
 *     were not used
 * @param vector rank and score of vector retrieval; empty if the chunk has no vector, or vectors were not used
 */
public record Hit(StoredChunk chunk, double score, Optional<Retriever> keyword, Optional<Retriever> vector) {
    /**
     * Rank and score of a hit in keyword or vector retrieval.
     *
     * @param rank from 1; 0 for a chunk that only the other retriever found
     * @param score BM25, or the cosine
     */
    public record Retriever(int rank, double score) {}
}
