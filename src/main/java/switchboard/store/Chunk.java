package switchboard.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A range of a document's text that is searched on its own.
 *
 * @param start first UTF-16 unit of the range
 * @param end one past the last
 * @param page the page it begins on, from 1; 0 for formats without pages
 * @param headingPath the headings above it, outermost first, for display ({@code "Install > Linux"}); may be empty
 * @param context what is searched with the chunk's own text as if it stood before it (title, headings); not part of
 *     what is shown; may be empty
 * @param foundBy what is searched by words only, besides context and text; a word counts as often as it stands there; may
 *     be empty
 * @param labels facts about the chunk (kind, breadcrumb, lines, hash), filtered on as {@code label.<key>}
 * @param vector of unit length, of the document's model, or null; must not be changed
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

    /** A chunk that is found by nothing but its context and its text. */
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

    /** A chunk with nothing but its range. */
    public static Chunk of(int start, int end) {
        return new Chunk(start, end, 0, "", "", Map.of(), null);
    }

    /** What is searched of a chunk by words and by vectors: its context, then its text. */
    public static String searched(String context, String text) {
        return context.isEmpty() ? text : context + "\n" + text;
    }

    /** The same with a vector. */
    public Chunk withVector(float[] unit) {
        return new Chunk(start, end, page, headingPath, context, foundBy, labels, unit);
    }

    /** The same, found by other words. */
    public Chunk withFoundBy(String words) {
        return new Chunk(start, end, page, headingPath, context, words, labels, vector);
    }
}
