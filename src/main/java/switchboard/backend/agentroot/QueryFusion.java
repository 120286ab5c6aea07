package switchboard.backend.agentroot;

/** How {@code query}, {@code smart_search} and {@code explore} combine words and vectors. */
public enum QueryFusion {
    /** Weighted scores, as in {@code vectordb}. */
    LINEAR,
    /** Ranks, as agentroot documents it: see {@link RankFusion}. */
    RRF
}
