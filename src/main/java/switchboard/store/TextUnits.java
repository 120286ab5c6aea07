package switchboard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Splits a text into the units that a window never cuts: sentences of prose, lines of code, tables and lists. A line
 * break within a paragraph is no boundary. The units cover the whole text. Takes linear time.
 */
final class TextUnits {
    /** The maximum length of a unit in UTF-16 units. Longer ones are cut between words. */
    static final int MAX = 600;

    /** Shorter lines are not wrapped prose, so the line break after them is a boundary. */
    private static final int WRAPPED = 40;

    /** Where a long unit has no white space, it is cut after this many UTF-16 units at the latest. */
    private static final int LONGEST_WORD = 24;

    /** Lines with a deeper indentation are code. */
    private static final int CODE_INDENT = 4;

    private static final Set<String> ABBREVIATIONS = Set.of(
            "Dr", "Fig", "Jr", "Mr", "Mrs", "Ms", "No", "Nr", "Prof", "Sr", "St", "bzw", "ca", "cf", "etc", "vs");

    private final String text;
    private final List<Unit> units = new ArrayList<>();
    private int start;

    private TextUnits(String text) {
        this.text = text;
    }

    /**
     * A range of a text.
     *
     * @param from its first UTF-16 unit
     * @param to one past the last unit
     * @param heading whether it is a heading of Markdown
     */
    record Unit(int from, int to, boolean heading) {}

    /** The sentences and lines of {@code text}, in order. */
    static List<Unit> of(String text) {
        TextUnits units = new TextUnits(text);
        units.lines();
        return units.units;
    }

    /** The words of a part of {@code text}, each with the white space after it. */
    static List<Unit> words(String text, int from, int to) {
        List<Unit> words = new ArrayList<>();
        int start = from;
        for (int at = from; at < to; at++) {
            boolean last = at + 1 == to;
            boolean gap =
                    Character.isWhitespace(text.charAt(at)) && !last && !Character.isWhitespace(text.charAt(at + 1));
            boolean full = at + 1 - start >= LONGEST_WORD && !Character.isHighSurrogate(text.charAt(at));
            if (last || gap || full) {
                words.add(new Unit(start, at + 1, false));
                start = at + 1;
            }
        }
        return words;
    }

    private void lines() {
        boolean fenced = false;
        int from = 0;
        while (from < text.length()) {
            int to = endOfLine(from);
            int next = afterLine(to);
            boolean fence = text.startsWith("```", firstOf(from, to));
            fenced ^= fence;
            if (!fenced && !fence) {
                sentences(from, to);
            }
            if (fenced || fence || next == text.length() || boundary(from, to, next)) {
                end(next);
            }
            from = next;
        }
    }

    private int endOfLine(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    /** The first character of a line that is no white space; {@code to} if there is none. */
    private int firstOf(int from, int to) {
        int at = from;
        while (at < to && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Whether the line break at the end of a line separates, because one of the two lines is not wrapped prose. */
    private boolean boundary(int from, int to, int next) {
        int end = endOfLine(next);
        int first = firstOf(from, to);
        int below = firstOf(next, end);
        if (first == to || below == end || to - first < WRAPPED) {
            return true;
        }
        if (first - from >= CODE_INDENT || below - next >= CODE_INDENT) {
            return true;
        }
        return "#|".indexOf(text.charAt(first)) >= 0
                || ";{}>|:".indexOf(text.charAt(to - 1)) >= 0
                || begins(below, end);
    }

    /** Whether a line begins as an item of a list, a row of a table, a heading or code does. */
    private boolean begins(int first, int end) {
        char c = text.charAt(first);
        if ("|#>.})@?:".indexOf(c) >= 0 || text.startsWith("//", first)) {
            return true;
        }
        if (c == '*' || c == '-' || c == '+' || c == '•') {
            return first + 1 < end && text.charAt(first + 1) == ' ';
        }
        int at = first;
        while (at < end && at < first + 4 && Character.isDigit(text.charAt(at))) {
            at++;
        }
        return at > first && at < end && (text.charAt(at) == '.' || text.charAt(at) == ')');
    }

    /** Ends units after the sentences that end within a line. */
    private void sentences(int from, int to) {
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            if (c == '。' || c == '！' || c == '？') {
                end(at + 1 < to ? at + 1 : afterLine(to));
            } else if (c == '.' || c == '!' || c == '?') {
                int after = at + 1;
                while (after < to && "\"')]*_”’»".indexOf(text.charAt(after)) >= 0) {
                    after++;
                }
                if (after < to && Character.isWhitespace(text.charAt(after))) {
                    int next = firstOf(after, to);
                    if (next < to && !(c == '.' && inside(at, next))) {
                        end(next);
                    }
                    at = next - 1;
                } else if (after == to && !(c == '.' && abbreviation(at))) {
                    end(afterLine(to));
                }
            }
        }
    }

    /** What follows the line that ends at {@code to}: the line break after a sentence belongs to it. */
    private int afterLine(int to) {
        return Math.min(to + 1, text.length());
    }

    /** Whether a full stop before {@code next} is within a sentence. */
    private boolean inside(int stop, int next) {
        return Character.isLowerCase(text.codePointAt(next)) || abbreviation(stop);
    }

    private boolean abbreviation(int stop) {
        int word = stop;
        while (word > 0 && stop - word < 8 && Character.isLetter(text.charAt(word - 1))) {
            word--;
        }
        boolean initial = stop - word == 1 && Character.isUpperCase(text.charAt(word));
        return initial || ABBREVIATIONS.contains(text.substring(word, stop));
    }

    private void end(int to) {
        if (to <= start) {
            return;
        }
        boolean heading = text.charAt(start) == '#';
        int from = start;
        if (to - from > MAX) {
            for (Unit word : words(text, start, to)) {
                if (word.to() - from > MAX) {
                    units.add(new Unit(from, word.from(), heading));
                    from = word.from();
                }
            }
        }
        units.add(new Unit(from, to, heading));
        start = to;
    }
}
