package switchboard.signal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An element that hides what is in it, and is not closed yet.
 *
 * @param start where its tag begins
 * @param end where its tag ends
 * @param wordsBefore how many words there were before it
 * @param leastWords how many words it must have to be marked
 * @param mustEnd whether it is one only with its closing tag
 * @param depth how many elements of the same name are open in it
 * @param containers how many elements are open in it that close all within
 */
record OpenElement(
        String name, int start, int end, int wordsBefore, int leastWords, boolean mustEnd, int depth, int containers) {
    /** They are closed without a closing tag by the next one of them. */
    private static final Set<String> SHORT =
            Set.of("p", "li", "dt", "dd", "td", "th", "tr", "option", "optgroup", "thead", "tbody", "tfoot");

    private static final Set<String> CONTAINERS = Set.of(
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

    /** A paragraph can't have these in it. */
    private static final Set<String> HEADINGS = Set.of("h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "address");

    static OpenElement of(String name, int start, int end, int wordsBefore, int leastWords, boolean mustEnd) {
        return new OpenElement(name, start, end, wordsBefore, leastWords, mustEnd, 0, 0);
    }

    private OpenElement with(int newDepth, int newContainers) {
        return new OpenElement(name, start, end, wordsBefore, leastWords, mustEnd, newDepth, newContainers);
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
