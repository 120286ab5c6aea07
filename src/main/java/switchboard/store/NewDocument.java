package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document to store. {@code source} identifies it within its namespace: storing the same source again replaces it.
 *
 * @param source path, URL or name, 1 to {@value #MAX_SOURCE} UTF-16 units
 * @param title for display
 * @param fileType {@code md}, {@code pdf}, {@code url} ...
 * @param lastModified as the source gives it, or null
 * @param contentHash hash of the source's bytes, lower-case hex; callers compare it to find out whether the source has
 *     changed
 * @param text the full converted text; stored once and returned exactly (lone surrogates become U+FFFD)
 * @param metadata the caller's own facts; filters name them {@code metadata.<key>}; must not be changed
 * @param model the {@link switchboard.embed.Embedder#model model} of the chunks' vectors; null without vectors
 * @param chunks the parts that are searched, in the order of the text; together they should cover it
 */
public record NewDocument(
        String source,
        String title,
        String fileType,
        @Nullable String lastModified,
        String contentHash,
        String text,
        ObjectNode metadata,
        @Nullable String model,
        List<Chunk> chunks) {
    /** Maximum length of a source. */
    public static final int MAX_SOURCE = 4096;

    public NewDocument {
        source = wellFormed(source);
        title = wellFormed(title);
        text = wellFormed(text);
        chunks = List.copyOf(chunks);
        if (source.isEmpty() || source.length() > MAX_SOURCE) {
            throw new IllegalArgumentException("A source has 1 to " + MAX_SOURCE + " characters.");
        }
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

    /** Replaces lone surrogates, which UTF-8 can't encode. The length stays the same. */
    private static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return text.codePoints()
                        .map(point ->
                                point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }
}
