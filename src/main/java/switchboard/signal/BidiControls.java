package switchboard.signal;

import java.util.Arrays;

/**
 * Finds characters that change the direction of a text: overrides; what is opened and not closed by its own character in its
 * line; and right-to-left around letters that are all written from left to right. Marks ({@code U+200E}, {@code U+200F}) and
 * pairs around Arabic or Hebrew words are usual, and not found.
 */
final class BidiControls {
    /** Renderers know no more of them within each other (UAX 9). */
    private static final int DEEPEST = 125;

    private final SignalCounter found;
    private final Letters letters = new Letters();
    private Open[] open = new Open[4];
    private int depth;

    private BidiControls(SignalCounter found) {
        this.found = found;
    }

    static void find(String text, SignalCounter found) {
        BidiControls controls = new BidiControls(found);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            controls.read(c, i);
            i += Character.charCount(c);
        }
        controls.endLine();
    }

    private void read(int c, int at) {
        if ((c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069')) {
            control((char) c, at);
        } else if (depth > 0 && Character.getDirectionality(c) == Character.DIRECTIONALITY_PARAGRAPH_SEPARATOR) {
            endLine();
        } else if (depth > 0) {
            letters.read(c);
        }
    }

    private void control(char c, int at) {
        if (overrides(c)) {
            found.add(SignalKind.BIDI_CONTROLS, at, at + 1);
        }
        if (opens(c) || overrides(c)) {
            open(c, at);
        } else if (c == '\u2069') {
            closeIsolate(at);
        } else if (depth > 0 && !open[depth - 1].isolate()) {
            close(at);
        }
    }

    private void open(char c, int at) {
        if (depth == DEEPEST) {
            found.add(SignalKind.BIDI_CONTROLS, at, at + 1);
            return;
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, Math.min(DEEPEST, depth * 2));
        }
        open[depth++] = new Open(at, c, letters.left, letters.right);
    }

    /** Closes the innermost isolate; what was opened in it is not closed by that. */
    private void closeIsolate(int at) {
        int isolate = depth - 1;
        while (isolate >= 0 && !open[isolate].isolate()) {
            isolate--;
        }
        if (isolate >= 0) {
            while (depth - 1 > isolate) {
                notClosed(open[--depth]);
            }
            close(at);
        }
    }

    private void close(int at) {
        Open begun = open[--depth];
        if (begun.rightToLeft() && letters.left > begun.left && letters.right == begun.right) {
            found.add(SignalKind.BIDI_CONTROLS, begun.at, at + 1);
        }
    }

    private void notClosed(Open begun) {
        if (!overrides(begun.control)) {
            found.add(SignalKind.BIDI_CONTROLS, begun.at, begun.at + 1);
        }
    }

    private void endLine() {
        while (depth > 0) {
            notClosed(open[--depth]);
        }
    }

    private static boolean opens(char c) {
        return c == '\u202A' || c == '\u202B' || (c >= '\u2066' && c <= '\u2068');
    }

    private static boolean overrides(char c) {
        return c == '\u202D' || c == '\u202E';
    }

    /** Something opened, and how many letters of each direction there were before. */
    private record Open(int at, char control, int left, int right) {
        boolean isolate() {
            return control >= '\u2066';
        }

        boolean rightToLeft() {
            return control == '\u202B' || control == '\u2067';
        }
    }

    /** Counts letters by their direction. */
    private static final class Letters {
        private int left;
        private int right;

        void read(int c) {
            if (!Character.isLetterOrDigit(c)) {
                return;
            }
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
