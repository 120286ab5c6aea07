package switchboard.convert;

import java.util.List;

/**
 * A piece of a text that is searched and embedded on its own.
 *
 * @param start its start in the text
 * @param end its end, exclusive; neither end is white space
 * @param heading the headings above it, outermost first, joined by {@code " > "}
 * @param context those headings that are not part of the piece itself; they are embedded before it
 * @param pages the pages it lies on, from 1, ascending; empty for formats without pages
 * @param columns the column names of the table that it begins inside of, as lines to be put before it; empty if there is none
 */
public record Chunk(int start, int end, String heading, String context, List<Integer> pages, String columns) {
    public Chunk {
        pages = List.copyOf(pages);
    }

    /** Its text, below the column names. */
    public String in(String text) {
        return columns + text.substring(start, end);
    }
}
