package switchboard.text;

/**
 * Surrogate pairs in texts: the two UTF-16 units of one character, which must not be separated. A unit of a pair
 * without the other one is a lone surrogate; no encoding has it.
 */
public final class SurrogatePairs {
    private static final int REPLACEMENT = 0xFFFD;

    private SurrogatePairs() {}

    /** {@code at}, or the position after it if it is inside a pair. */
    public static int after(String text, int at) {
        return inside(text, at) ? at + 1 : at;
    }

    /** {@code at}, or the position before it if it is inside a pair. */
    public static int before(String text, int at) {
        return inside(text, at) ? at - 1 : at;
    }

    /** The first {@code most} UTF-16 units of {@code text}, one less if they would end inside a pair; all if there are no more. */
    public static String start(String text, int most) {
        return text.length() <= most ? text : text.substring(0, before(text, most));
    }

    private static boolean inside(String text, int at) {
        return at > 0 && at < text.length() && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
    }

    /** Whether {@code text} has no lone surrogate. */
    public static boolean wellFormed(String text) {
        return text.codePoints().noneMatch(SurrogatePairs::lone);
    }

    /** {@code text} with U+FFFD for each lone surrogate. The length stays the same. */
    public static String replaceLone(String text) {
        return wellFormed(text)
                ? text
                : text.codePoints()
                        .map(point -> lone(point) ? REPLACEMENT : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static boolean lone(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
