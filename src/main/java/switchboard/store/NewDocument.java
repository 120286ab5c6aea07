package switchboard.store;

import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.text.SurrogatePairs;

/**
 * A document to store. Storing the same source again replaces it.
 *
 * @param details its metadata; the source identifies it within its namespace
 * @param text the full converted text; stored once and returned exactly (lone surrogates become U+FFFD)
 * @param model the {@link ChunkEmbedders#name model or models} of the chunks' vectors; null without vectors
 * @param chunks the parts that are searched, in the order of the text; together they should cover it
 */
public record NewDocument(
        DocumentDetails details, String text, @Nullable String model, List<Chunk> chunks) {
    public NewDocument {
        text = SurrogatePairs.replaceLone(text);
        chunks = List.copyOf(chunks);
        for (Chunk chunk : chunks) {
            if (chunk.end() > text.length()) {
                throw new IllegalArgumentException(
                        "A chunk ends at " + chunk.end() + ", the text at " + text.length() + ".");
            }
            if (model == null && chunk.vector() != null) {
                throw new IllegalArgumentException("Vectors need the name of their model.");
            }
        }
    }
}
