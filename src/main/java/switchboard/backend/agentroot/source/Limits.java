package switchboard.backend.agentroot.source;

/**
 * Bounds of a collection.
 *
 * @param fileBytes the largest document
 * @param documents the most documents
 */
public record Limits(int fileBytes, int documents) {}
