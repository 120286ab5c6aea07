package switchboard.embed;

import java.time.Duration;

/**
 * The reranker of a gateway and its use.
 *
 * @param reranker the model
 * @param candidates how many of the passages that were found are ordered anew
 * @param limit how long that may take for one search
 */
public record Reranking(Reranker reranker, int candidates, Duration limit) {}
