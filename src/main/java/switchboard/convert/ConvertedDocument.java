package switchboard.convert;

import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.text.PageOffsets;

/**
 * The text of a document. Lines end with {@code \n}; there is no byte order mark and no NUL.
 *
 * @param text the whole text
 * @param markup whether it contains Markdown
 * @param title the document's own title, or null
 * @param pageStarts offsets of the pages in the text, ascending; empty for formats without pages
 */
public record ConvertedDocument(
        String text, Markup markup, @Nullable String title, List<Integer> pageStarts) {
    private static final int MAX_TITLE = 200;

    /** The markup of a text. */
    public enum Markup {
        /** Markdown. */
        MARKDOWN,
        /** Delimited values as they are written, such as CSV. */
        CSV,
        /** No markup. */
        PLAIN
    }

    public ConvertedDocument {
        pageStarts = List.copyOf(pageStarts);
        title = title == null || title.isBlank() ? null : shortened(title.strip());
    }

    /** Text without pages. */
    static ConvertedDocument of(String text, Markup markup, @Nullable String title) {
        return new ConvertedDocument(text, markup, title, List.of());
    }

    /** The pages on which the text from {@code start} to {@code end} lies, ascending; blank ones are left out. */
    public List<Integer> pagesOf(int start, int end) {
        return new PageOffsets(pageStarts).of(text, start, end);
    }

    private static String shortened(String title) {
        String line = title.replaceAll("\\s+", " ");
        return line.length() <= MAX_TITLE ? line : line.substring(0, line.offsetByCodePoints(0, codePoints(line)));
    }

    private static int codePoints(String line) {
        return Math.min(line.codePointCount(0, line.length()), MAX_TITLE);
    }
}
