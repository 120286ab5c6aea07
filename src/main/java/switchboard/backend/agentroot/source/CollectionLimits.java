package switchboard.backend.agentroot.source;

/**
 * Bounds of a collection.
 *
 * @param fileBytes the largest document
 * @param documents the most documents
 */
public record CollectionLimits(int fileBytes, int documents) {
    /** Most records that are looked at, those that are left out among them. */
    public int records() {
        return 2 * documents + 1000;
    }
}
