package switchboard.convert;

import java.util.List;
import java.util.Optional;

/**
 * A part of a document that is found on its own. The pieces of a document follow each other without gap or overlap from
 * its first character to its last.
 *
 * @param start first UTF-16 unit
 * @param end one past the last
 * @param type {@code Text}, {@code Code} (between definitions), {@code Function}, {@code Method}, {@code Class} ...
 * @param breadcrumb names around it, outermost first: {@code Store::put}, {@code Install > Linux}; may be empty
 * @param columns see {@link Chunk}
 */
public record TextPiece(int start, int end, String type, String breadcrumb, String columns) {
    /** A piece that is no part of a table. */
    public TextPiece(int start, int end, String type, String breadcrumb) {
        this(start, end, type, breadcrumb, "");
    }

    /** Its text. */
    public String in(String text) {
        return text.substring(start, end);
    }

    /** The same without the white space at its ends, under its names as a heading; empty if nothing is left. */
    public Optional<Chunk> chunk(String text) {
        String own = in(text);
        int from = start + own.length() - own.stripLeading().length();
        int to = start + own.stripTrailing().length();
        return from < to
                ? Optional.of(new Chunk(from, to, breadcrumb, breadcrumb, List.of(), columns))
                : Optional.empty();
    }
}
