package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.text.SurrogatePairs;

/**
 * Additional words that documents are found by, repeated according to their weight (BM25F with the proportions that
 * agentroot documents: text 5, title 10, concepts 12 and keywords 15, metadata 20). They are searched with a
 * document's first chunk, so that a long document has them once. Title and tags are in the context of every chunk, of which the
 * store counts the title twice. Keywords that the rules found in the text itself have no additional weight.
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
    static String words(List<String> named, ObjectNode user) {
        return Stream.concat(
                        Collections.nCopies(NAMED, String.join(" ", named)).stream(),
                        Collections.nCopies(METADATA, values(user)).stream())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
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
