package switchboard.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A range of a document's text that is searched on its own.
 *
 * @param start first UTF-16 unit of the range
 * @param end one past the last unit
 * @param page the page it begins on, from 1; 0 for formats without pages
 * @param headingPath the headings above it, outermost first, for display ({@code "Install > Linux"}); may be empty
 * @param context text that is searched as if it stood before the chunk (title, headings), but not shown; may be empty
 * @param foundBy additional words for keyword search only; a repeated word counts more; may be empty
 * @param labels facts about the chunk (kind, breadcrumb, lines, hash); filters name them {@code label.<key>}
 * @param vector unit vector of the document's model, or null; must not be changed
 */
public record Chunk(
        int start,
        int end,
        int page,
        String headingPath,
        String context,
        String foundBy,
        Map<String, String> labels,
        float @Nullable [] vector) {
    public Chunk {
        labels = Map.copyOf(labels);
        if (start < 0 || end < start || page < 0) {
            throw new IllegalArgumentException("Not a range: " + start + " to " + end + ", page " + page + ".");
        }
    }

    /** A chunk without additional words for keyword search. */
    public Chunk(
            int start,
            int end,
            int page,
            String headingPath,
            String context,
            Map<String, String> labels,
            float @Nullable [] vector) {
        this(start, end, page, headingPath, context, "", labels, vector);
    }

    /** A chunk without a vector. */
    public Chunk(
            int start,
            int end,
            int page,
            String headingPath,
            String context,
            String foundBy,
            Map<String, String> labels) {
        this(start, end, page, headingPath, context, foundBy, labels, null);
    }

    /** A chunk with only a range. */
    public static Chunk of(int start, int end) {
        return new Chunk(start, end, 0, "", "", Map.of(), null);
    }

    /** The text that keyword and vector search use: the context, then the chunk's own text. */
    public static String searched(String context, String text) {
        return context.isEmpty() ? text : context + "\n" + text;
    }

    /** The same with a vector. */
    public Chunk withVector(float[] unit) {
        return new Chunk(start, end, page, headingPath, context, foundBy, labels, unit);
    }

    /** The same chunk with other additional words for keyword search. */
    public Chunk withFoundBy(String words) {
        return new Chunk(start, end, page, headingPath, context, words, labels, vector);
    }
}
