package switchboard.backend.agentroot;

/** Keys of the labels that are stored with each chunk. */
final class ChunkLabels {
    static final String HASH = "hash";
    static final String TYPE = "type";
    static final String BREADCRUMB = "breadcrumb";
    static final String LINES = "lines";

    /** The prefix of labels that callers filter on. */
    static final String USER = "l.";

    private ChunkLabels() {}
}
