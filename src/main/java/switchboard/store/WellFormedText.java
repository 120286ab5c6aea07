package switchboard.store;

/** Replaces lone surrogates, which UTF-8 can't encode. */
final class WellFormedText {
    private WellFormedText() {}

    /** {@code text} with U+FFFD for each lone surrogate. The length stays the same. */
    static String text(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return text.codePoints()
                        .map(point ->
                                point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }
}
