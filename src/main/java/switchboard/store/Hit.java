package switchboard.store;

import java.util.Optional;

/**
 * A chunk that a search found.
 *
 * @param chunk the chunk, with its document
 * @param score what the hits are ordered by; comparable within one search only
 * @param keyword how it did by its words; empty if none of them is in it, or they were not asked for
 * @param vector how it did by its vector; empty if there is none, or it was not asked for
 */
public record Hit(StoredChunk chunk, double score, Optional<Retriever> keyword, Optional<Retriever> vector) {
    /**
     * One leg's view of a hit.
     *
     * @param rank place among the leg's candidates, from 1; 0 for a chunk that only the other leg put forward
     * @param score BM25, or the cosine
     */
    public record Retriever(int rank, double score) {}
}
