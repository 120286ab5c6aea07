package switchboard.signal;

/** Characters that take no room, or only an empty one: those that renderers leave out, marks on other letters, fillers. */
final class UnseenCharacters {
    private static final int BRAILLE_BLANK = 0x2800;

    private UnseenCharacters() {}

    /** Whether {@code c} is not shown by itself: what Unicode calls ignorable, a control, or an empty letter. */
    static boolean ignorable(int c) {
        if (c < 0x80) {
            return (c < ' ' && !Character.isWhitespace(c)) || c == 0x7F;
        }
        return c == 0xAD
                || c == 0x34F
                || c == 0x61C
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || (c >= 0x180B && c <= 0x180F)
                || (c >= 0x200B && c <= 0x200F)
                || (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2060 && c <= 0x206F)
                || c == BRAILLE_BLANK
                || c == 0x3164
                || (c >= 0xFE00 && c <= 0xFE0F)
                || c == 0xFEFF
                || c == 0xFFA0
                || (c >= 0xFFF0 && c <= 0xFFFB)
                || (c >= 0x1BCA0 && c <= 0x1BCA3)
                || (c >= 0x1D173 && c <= 0x1D17A)
                || (c >= 0xE0000 && c <= 0xE0FFF);
    }

    /** Accents, and the vowels of scripts that write them as marks. */
    static boolean mark(int c) {
        if (c < 0x300) {
            return false;
        }
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    /** The text without ignorable characters. */
    static String removed(String text) {
        int i = 0;
        while (i < text.length() && !ignorable(text.charAt(i)) && !Character.isSurrogate(text.charAt(i))) {
            i++;
        }
        if (i == text.length()) {
            return text;
        }
        StringBuilder seen = new StringBuilder(text.length());
        text.codePoints().filter(c -> !ignorable(c)).forEach(seen::appendCodePoint);
        return seen.toString();
    }
}
