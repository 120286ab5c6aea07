package switchboard.call;

/**
 * A range of a document's text in UTF-16 units, as {@code offset} of {@code fetch_document} counts.
 *
 * @param start the first unit; {@value #UNKNOWN} if only the length is known
 * @param length the number of units
 */
public record PassageSpan(int start, int length) {
    private static final int UNKNOWN = -1;

    /** The range from {@code start} to before {@code end}; empty if that is not behind it. */
    public static PassageSpan between(int start, int end) {
        return new PassageSpan(start, Math.max(0, end - start));
    }

    /** A range of which only the length is known. */
    public static PassageSpan somewhere(int length) {
        return new PassageSpan(UNKNOWN, length);
    }

    /** Whether the start is known. */
    public boolean placed() {
        return start != UNKNOWN;
    }

    /** One past the last unit. */
    public int end() {
        return start + length;
    }

    @Override
    public String toString() {
        return placed() ? start + "-" + end() : "+" + length;
    }
}
