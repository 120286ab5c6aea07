package switchboard.convert;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The indentation of the further lines of a list item, a definition or a quotation. */
final class MarkdownLinePrefix {
    private static final Pattern MARGIN = Pattern.compile("^[>\\s]*(?:(?:[*+:-]|\\d+\\.)\\s+)?");

    private MarkdownLinePrefix() {}

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
