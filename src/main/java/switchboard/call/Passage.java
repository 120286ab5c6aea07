package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A piece of text that a search found.
 *
 * @param document the id of its document within the source
 * @param title what to call the document; empty when it has no name
 * @param url where the document came from, or null
 * @param text the passage, or as much of the document as an engine without passages gives
 * @param score what the engine ordered by, or null when it says nothing
 * @param similarity how near its vector is to the query's, or null when no vector was compared
 * @param fields the document's other fields; must not be changed
 */
public record Passage(
        String document,
        String title,
        @Nullable String url,
        String text,
        @Nullable Double score,
        @Nullable Similarity similarity,
        ObjectNode fields) {
    /**
     * The cosine of two vectors; figures of one model can be compared whichever engine computed them.
     *
     * @param model the embedding model
     * @param cosine -1 to 1
     */
    public record Similarity(String model, double cosine) {}
}
