package switchboard.signal;

/**
 * Reads words as numbers, so that no string is made for them. Case, apostrophes and controls make no difference; what else does
 * not, {@link FoldedText} has left out.
 */
final class Words {
    private static final char BREAK = 0;
    private static final char SKIP = 1;
    /** More between two words than this is more than punctuation. */
    private static final int LONGEST_GAP = 12;

    private static final char[] FOLDED = folded();

    private final String text;
    private int start;
    private int end;
    private long hash;

    Words(String text) {
        this.text = text;
    }

    private static char[] folded() {
        char[] table = new char[0x10000];
        for (int c = 0; c < table.length; c++) {
            table[c] = fold((char) c);
        }
        return table;
    }

    private static char fold(char c) {
        if (c == '\'' || c == '\u2019' || (c < 0x80 && UnseenCharacters.ignorable(c))) {
            return SKIP;
        }
        return Character.isLetterOrDigit(c) ? plain(Character.toLowerCase(c)) : BREAK;
    }

    /** The letter that it is written instead of on other keyboards. These are no letters with accents for Unicode. */
    private static char plain(char c) {
        return switch (c) {
            case '\u0131' -> 'i';
            case '\u0142' -> 'l';
            case '\u00F8' -> 'o';
            case '\u0111' -> 'd';
            default -> c;
        };
    }

    /** The number of a word that has nothing but letters and digits. */
    static long hash(String word) {
        String folded = FoldedText.of(word).text();
        Words words = new Words(folded);
        if (!words.next(0) || words.end != folded.length()) {
            throw new IllegalArgumentException("not one word: " + word);
        }
        return words.hash;
    }

    /** Moves to the first word at or after {@code from}; false if there is none. */
    boolean next(int from) {
        int i = from;
        int length = text.length();
        while (i < length && FOLDED[text.charAt(i)] <= SKIP) {
            i++;
        }
        if (i == length) {
            return false;
        }
        start = i;
        long value = 0xCBF29CE484222325L;
        for (; i < length; i++) {
            char c = FOLDED[text.charAt(i)];
            if (c == BREAK) {
                break;
            }
            if (c != SKIP) {
                value = (value ^ c) * 0x100000001B3L;
                end = i + 1;
            }
        }
        hash = value;
        return true;
    }

    /** Moves to the next word of the same sentence after {@code from}; false if there is none. */
    boolean nextInSentence(int from) {
        int breaks = 0;
        int limit = Math.min(text.length(), from + LONGEST_GAP);
        for (int i = from; i < limit; i++) {
            char c = text.charAt(i);
            if (FOLDED[c] > SKIP) {
                return next(i);
            }
            breaks += c == '\n' ? 1 : 0;
            if (breaks > 1 || c == '.' || c == '!' || c == '?' || c == ';') {
                return false;
            }
        }
        return false;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    long hash() {
        return hash;
    }
}
