package switchboard.convert;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a document: lines end with {@code \n}, there is no byte order mark and no NUL.
 *
 * @param text all of it
 * @param markup whether headings, tables and code fences in it mean something
 * @param title what the document calls itself, or null
 * @param pageStarts where each page begins in the text, ascending; empty where the format has no pages
 */
public record Converted(
        String text, Markup markup, @Nullable String title, List<Integer> pageStarts) {
    private static final int MAX_TITLE = 200;

    /** What characters at line starts mean. */
    public enum Markup {
        /** As in Markdown. */
        MARKDOWN,
        /** Nothing. */
        PLAIN
    }

    public Converted {
        pageStarts = List.copyOf(pageStarts);
        title = title == null || title.isBlank() ? null : shortened(title.strip());
    }

    /** Text without pages. */
    static Converted of(String text, Markup markup, @Nullable String title) {
        return new Converted(text, markup, title, List.of());
    }

    /** The page at {@code offset}, from 1; 0 where there are no pages. */
    public int pageAt(int offset) {
        if (pageStarts.isEmpty()) {
            return 0;
        }
        int found = Collections.binarySearch(pageStarts, offset);
        return Math.max(1, found >= 0 ? found + 1 : -found - 1);
    }

    private static String shortened(String title) {
        String line = title.replaceAll("\\s+", " ");
        return line.length() <= MAX_TITLE ? line : line.substring(0, line.offsetByCodePoints(0, codePoints(line)));
    }

    private static int codePoints(String line) {
        return Math.min(line.codePointCount(0, line.length()), MAX_TITLE);
    }
}
