package switchboard.backend.agentroot.text;

/**
 * A part of a document that is found on its own. The pieces of a document follow each other without gap or overlap from
 * its first character to its last.
 *
 * @param start first UTF-16 unit
 * @param end one past the last
 * @param type {@code Text}, {@code Code} (between definitions), {@code Function}, {@code Method}, {@code Class} ...
 * @param breadcrumb names around it, outermost first: {@code Store::put}, {@code Install > Linux}; may be empty
 */
public record TextPiece(int start, int end, String type, String breadcrumb) {
    /** Its text. */
    public String in(String text) {
        return text.substring(start, end);
    }
}
