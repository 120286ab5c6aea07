package switchboard.signal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An element that hides what is in it, and is not closed yet.
 *
 * @param start where its tag begins
 * @param end where its tag ends
 * @param wordsBefore how many words there were before it
 * @param marking when it is marked
 * @param depth how many elements of the same name are open in it
 * @param containers how many elements are open in it that close all within
 * @param level how many elements are open around it that close all within
 */
record OpenElement(
        String name, int start, int end, int wordsBefore, Marking marking, int depth, int containers, int level) {
    /**
     * When it is marked.
     *
     * @param leastWords how many words it must have
     * @param mustEnd whether it is one only with its closing tag
     */
    record Marking(int leastWords, boolean mustEnd) {}

    /** They are closed without a closing tag by the next one of them. */
    private static final Set<String> SHORT =
            Set.of("p", "li", "dt", "dd", "td", "th", "tr", "option", "optgroup", "thead", "tbody", "tfoot");

    /** Elements whose closing tag closes all elements in them. */
    static final Set<String> CONTAINERS = Set.of(
            "div",
            "ul",
            "ol",
            "dl",
            "table",
            "section",
            "article",
            "main",
            "aside",
            "header",
            "footer",
            "nav",
            "form",
            "blockquote",
            "fieldset",
            "figure",
            "details",
            "menu",
            "select");

    /** Elements that browsers open again behind the element that they are in. */
    private static final Set<String> FORMATTING =
            Set.of("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u");

    /** A paragraph can't have these in it. */
    private static final Set<String> HEADINGS = Set.of("h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "address");

    static OpenElement of(HtmlTag tag, int start, int wordsBefore, Marking marking, int level) {
        return new OpenElement(tag.name(), start, tag.end(), wordsBefore, marking, 0, 0, level);
    }

    /** Whether it has as many words as it must have, of {@code words} until now. */
    boolean hasEnough(int words) {
        return words - wordsBefore >= marking.leastWords();
    }

    /** Whether it is closed with an element around it, so that {@code remaining} are open. */
    boolean closedWith(int remaining) {
        return level > remaining && !FORMATTING.contains(name);
    }

    private OpenElement with(int newDepth, int newContainers) {
        return new OpenElement(name, start, end, wordsBefore, marking, newDepth, newContainers, level);
    }

    /** What it is behind an opening tag of this name; null if that closes it. */
    @Nullable
    OpenElement opened(String other) {
        if (!SHORT.contains(name)) {
            return other.equals(name) ? with(depth + 1, 0) : this;
        }
        boolean container = CONTAINERS.contains(other);
        if (name.equals("p") && (container || HEADINGS.contains(other))) {
            return null;
        }
        if (container) {
            return with(depth, containers + 1);
        }
        return containers == 0 && other.equals(name) ? null : this;
    }

    /** What it is behind a closing tag of this name; null if that closes it. */
    @Nullable
    OpenElement closed(String other) {
        if (other.equals("body") || other.equals("html")) {
            return null;
        }
        if (!SHORT.contains(name)) {
            return !other.equals(name) ? this : depth == 0 ? null : with(depth - 1, 0);
        }
        if (CONTAINERS.contains(other)) {
            return containers == 0 ? null : with(depth, containers - 1);
        }
        return containers == 0 && other.equals(name) ? null : this;
    }
}
