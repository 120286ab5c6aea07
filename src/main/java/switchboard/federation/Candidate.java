package switchboard.federation;

import switchboard.call.Passage;

/**
 * A passage that a source found.
 *
 * @param address the address of its document
 * @param source label of its source
 * @param rank its rank in that source, from 1
 * @param weight weight of its source
 * @param passage the passage itself
 */
record Candidate(DocumentUri address, String source, int rank, double weight, Passage passage) {}
