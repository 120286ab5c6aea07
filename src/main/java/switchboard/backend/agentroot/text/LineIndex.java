package switchboard.backend.agentroot.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lines of a text by number, from 1; a line ends with {@code \n}. Immutable. */
public final class LineIndex {
    private final String text;
    private final List<Integer> starts = new ArrayList<>();

    /** The lines of {@code text}. */
    public LineIndex(String text) {
        this.text = text;
        starts.add(0);
        for (int at = text.indexOf('\n'); at >= 0 && at + 1 < text.length(); at = text.indexOf('\n', at + 1)) {
            starts.add(at + 1);
        }
    }

    /** How many lines there are; an empty text has one. */
    public int count() {
        return starts.size();
    }

    /** The number of the line that holds {@code offset}. */
    public int at(int offset) {
        int found = Collections.binarySearch(starts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** The lines of a range, such as {@code 3-7}. */
    public String range(int start, int end) {
        return at(start) + "-" + at(Math.max(start, end - 1));
    }

    /** At most {@code count} lines from number {@code first} on, unchanged. */
    public String slice(int first, int count) {
        if (first > starts.size() || count < 1) {
            return "";
        }
        int from = Math.max(1, first);
        long past = (long) from + count;
        int end = past > starts.size() ? text.length() : starts.get((int) past - 1);
        return text.substring(starts.get(from - 1), end);
    }
}
