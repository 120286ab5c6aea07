package switchboard.backend.agentroot.source;

/**
 * Limits of a collection.
 *
 * @param fileBytes maximum size of a document
 * @param documents maximum number of documents
 */
public record CollectionLimits(int fileBytes, int documents) {
    /** Maximum number of records that are read, including those that are left out. */
    public int records() {
        return 2 * documents + 1000;
    }
}
