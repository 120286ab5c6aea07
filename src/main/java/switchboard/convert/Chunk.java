package switchboard.convert;

/**
 * A piece of a text that is searched and embedded on its own.
 *
 * @param start its start in the text
 * @param end its end, exclusive; neither end is white space
 * @param heading the headings above it, outermost first, joined by {@code " > "}
 * @param context those headings that are not part of the piece itself; they are embedded before it
 * @param page the page it starts on, from 1; 0 for formats without pages
 */
public record Chunk(int start, int end, String heading, String context, int page) {
    /** Its text. */
    public String in(String text) {
        return text.substring(start, end);
    }
}
