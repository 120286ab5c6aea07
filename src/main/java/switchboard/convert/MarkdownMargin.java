package switchboard.convert;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What further lines of a list item, a definition or a quotation begin with. */
final class MarkdownMargin {
    private static final Pattern MARGIN = Pattern.compile("^[>\\s]*(?:(?:[*+:-]|\\d+\\.)\\s+)?");

    private MarkdownMargin() {}

    /** The beginning of a line that belongs to the same item as {@code line}. */
    static String of(String line) {
        Matcher margin = MARGIN.matcher(line);
        return margin.find() ? margin.group().replaceAll("[^>\\s]", " ") : "";
    }

    /** Whether {@code line} has nothing else. */
    static boolean only(String line) {
        return MARGIN.matcher(line).replaceFirst("").isBlank();
    }
}
