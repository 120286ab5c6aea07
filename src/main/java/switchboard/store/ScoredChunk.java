package switchboard.store;

/**
 * A chunk with a score.
 *
 * @param chunk its number in the snapshot
 * @param score higher is better
 */
record ScoredChunk(int chunk, double score) {}
