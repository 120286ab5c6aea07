package switchboard.convert;

/**
 * A piece of a text, found and embedded on its own.
 *
 * @param start where it begins in the text
 * @param end where it ends, exclusive; neither end is white space
 * @param heading the headings it stands under at its start, outermost first, joined by {@code " > "}
 * @param context those of them that are not part of the piece itself: what to say before it to make it understood alone
 * @param page the page it starts on, from 1; 0 where there are no pages
 */
public record Chunk(int start, int end, String heading, String context, int page) {
    /** Its text. */
    public String in(String text) {
        return text.substring(start, end);
    }
}
