package switchboard.signal;

/**
 * Finds characters that change the direction of a text: overrides; what is opened and not closed in its line; and
 * right-to-left around letters that are all written from left to right. Marks ({@code U+200E}, {@code U+200F}) and pairs around
 * Arabic or Hebrew words are usual, and not found.
 */
final class BidiControls {
    private static final int DEEPEST = 64;

    private BidiControls() {}

    static void find(String text, SignalCounter found) {
        int line = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '\n' || text.charAt(i) == '\u2029') {
                line(text, line, i, found);
                line = i + 1;
            }
        }
    }

    private static boolean opens(char c) {
        return c == '\u202A' || c == '\u202B' || (c >= '\u2066' && c <= '\u2068');
    }

    private static boolean overrides(char c) {
        return c == '\u202D' || c == '\u202E';
    }

    private static void line(String text, int start, int end, SignalCounter found) {
        Open[] open = null;
        int depth = 0;
        Letters letters = new Letters();
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c < '\u202A' || c > '\u2069') {
                if (open != null) {
                    letters.read(c);
                }
                continue;
            }
            if (overrides(c)) {
                found.add(SignalKind.BIDI_CONTROLS, i, i + 1);
            }
            if (opens(c) || overrides(c)) {
                open = open == null ? new Open[DEEPEST] : open;
                if (depth < DEEPEST) {
                    open[depth++] = new Open(i, c, letters.left, letters.right);
                }
            } else if ((c == '\u202C' || c == '\u2069') && depth > 0 && open != null) {
                Open begun = open[--depth];
                if (begun.rightToLeft() && letters.left > begun.left && letters.right == begun.right) {
                    found.add(SignalKind.BIDI_CONTROLS, begun.at, i + 1);
                }
            }
        }
        for (int i = 0; i < depth && open != null; i++) {
            if (!overrides(open[i].control)) {
                found.add(SignalKind.BIDI_CONTROLS, open[i].at, open[i].at + 1);
            }
        }
    }

    /** Something opened, and how many letters of each direction there were before. */
    private record Open(int at, char control, int left, int right) {
        boolean rightToLeft() {
            return control == '\u202B' || control == '\u2067';
        }
    }

    /** Counts letters by their direction. */
    private static final class Letters {
        private int left;
        private int right;

        void read(char c) {
            switch (Character.getDirectionality(c)) {
                case Character.DIRECTIONALITY_LEFT_TO_RIGHT -> left++;
                case Character.DIRECTIONALITY_RIGHT_TO_LEFT,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC,
                        Character.DIRECTIONALITY_ARABIC_NUMBER -> right++;
                default -> {}
            }
        }
    }
}
