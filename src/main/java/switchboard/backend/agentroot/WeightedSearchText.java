package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import switchboard.text.SurrogatePairs;

/**
 * Additional words that documents are found by, repeated according to their weight (BM25F with the proportions that
 * agentroot documents: text 5, title 10, concepts 12 and keywords 15, metadata 20). They are searched with a
 * document's first chunk, so that a long document has them once; title and tags are also in the context of every
 * chunk. Keywords that the rules found in the text itself have no additional weight.
 */
final class WeightedSearchText {
    private static final int NAMED = 3;
    private static final int METADATA = 4;

    /** UTF-16 units of metadata; a document is not found by what lies beyond. */
    private static final int MAX_METADATA = 8_000;

    private WeightedSearchText() {}

    /**
     * The {@link switchboard.store.Chunk#foundBy()} of a document's first chunk.
     *
     * @param named keywords and concepts of its front matter or from a model
     */
    static String words(String title, List<String> named, ObjectNode user) {
        StringBuilder words = new StringBuilder(title);
        times(NAMED, String.join(" ", named), words);
        times(METADATA, values(user), words);
        return words.toString();
    }

    private static void times(int weight, String text, StringBuilder words) {
        if (!text.isEmpty()) {
            words.append('\n').append(String.join("\n", Collections.nCopies(weight, text)));
        }
    }

    private static String values(ObjectNode user) {
        StringBuilder values = new StringBuilder();
        for (JsonNode value : user) {
            for (JsonNode one : value.isArray() ? value : List.of(value)) {
                values.append(one.asText()).append(' ');
            }
        }
        return SurrogatePairs.start(values.toString(), MAX_METADATA);
    }
}
