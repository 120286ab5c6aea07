package switchboard.federation;

import switchboard.call.Passage;

/**
 * A passage with its place in what its source gave.
 *
 * @param address of its document
 * @param source label of its source
 * @param rank from 1
 * @param weight of its source
 * @param passage itself
 */
record Candidate(DocumentUri address, String source, int rank, double weight, Passage passage) {}
