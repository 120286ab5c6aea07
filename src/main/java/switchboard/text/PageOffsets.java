package switchboard.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The offsets of the pages of a text. Pages are counted from 1.
 *
 * @param offsets the start of each page in UTF-16 units, ascending; empty for a text without pages
 */
public record PageOffsets(List<Integer> offsets) {
    /** A text without pages. */
    public static final PageOffsets NONE = new PageOffsets(List.of());

    public PageOffsets {
        offsets = List.copyOf(offsets);
    }

    /** The page at {@code offset}; 0 for a text without pages. */
    public int at(int offset) {
        if (offsets.isEmpty()) {
            return 0;
        }
        int found = Collections.binarySearch(offsets, offset);
        return Math.max(1, found >= 0 ? found + 1 : -found - 1);
    }

    /** The pages on which {@code text} from {@code start} to {@code end} lies, ascending; those with white space alone are left out. */
    public List<Integer> of(String text, int start, int end) {
        List<Integer> pages = new ArrayList<>();
        for (int page = at(start); page > 0 && page <= offsets.size(); page++) {
            int from = Math.max(start, offsets.get(page - 1));
            int to = Math.min(end, page < offsets.size() ? offsets.get(page) : text.length());
            if (from >= end) {
                break;
            }
            if (!text.substring(from, to).isBlank()) {
                pages.add(page);
            }
        }
        return pages;
    }
}
