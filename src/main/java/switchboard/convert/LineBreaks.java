package switchboard.convert;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/**
 * The line breaks ({@code br}) of a page. The Markdown converter reads all it has written again for each of them, so they
 * are taken out before the page is converted, and put in afterwards.
 */
final class LineBreaks {
    /** In Unicode's private use area. A page that has it itself gets a line break there. */
    private static final String MARK = "\uF8D2";

    private static final Pattern MARKS = Pattern.compile("[ \\t]*" + MARK + "[ \\t" + MARK + "]*");

    private LineBreaks() {}

    /** Marks a place that becomes a line break, or a blank line between two paragraphs. */
    static TextNode mark(boolean paragraph) {
        return new TextNode(paragraph ? MARK + MARK : MARK);
    }

    /** Replaces the line breaks of {@code body}: by a new line in preformatted text, a space in a heading, else a mark. */
    static void takeFrom(Element body) {
        for (Element end : body.select("pre br")) {
            end.replaceWith(new TextNode("\n"));
        }
        for (Element end : body.select("h1 br, h2 br, h3 br, h4 br, h5 br, h6 br")) {
            end.replaceWith(new TextNode(" "));
        }
        for (Element end : body.select("br")) {
            end.replaceWith(new TextNode(MARK));
        }
    }

    /** The text with its line breaks. Two or more of them end a paragraph. */
    static String putInto(String converted) {
        if (!converted.contains(MARK)) {
            return converted;
        }
        StringBuilder out = new StringBuilder(converted.length());
        converted.lines().forEach(line -> write(line, out));
        return out.toString();
    }

    private static void write(String line, StringBuilder out) {
        Matcher marks = MARKS.matcher(line);
        String margin = MarkdownLinePrefix.of(line);
        boolean first = true;
        int at = 0;
        while (marks.find()) {
            String before = line.substring(at, marks.start());
            boolean paragraph = marks.group().indexOf(MARK) != marks.group().lastIndexOf(MARK);
            at = marks.end();
            if (!before.isBlank() && !before.equals(margin)) {
                out.append(first ? "" : margin).append(before).append(at == line.length() || paragraph ? "\n" : "  \n");
                first = false;
            }
            if (paragraph && at < line.length()) {
                out.append(margin.stripTrailing()).append('\n');
            }
        }
        String rest = line.substring(at);
        if (at == 0 || !rest.isBlank()) {
            out.append(first ? "" : margin).append(rest).append('\n');
        }
    }
}
