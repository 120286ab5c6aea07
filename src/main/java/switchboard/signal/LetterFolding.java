package switchboard.signal;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a character is compared as: its compatible letter (NFKD) in lower case, without marks. Precomposed Korean syllables stay
 * whole.
 */
final class LetterFolding {
    /** Nothing is left. */
    static final char NOTHING = 0;
    /** More than one character is left: see {@link #longer}. */
    static final char LONGER = 1;

    /** Longer foldings are left out. */
    private static final int LONGEST = 4;

    private static final Map<Integer, String> LONGER_ONES = new HashMap<>();
    private static final char[] TABLE = table();

    private LetterFolding() {}

    /** What {@code c} is compared as; {@link #NOTHING}, or {@link #LONGER} also for a half of a pair. */
    static char of(char c) {
        return TABLE[c];
    }

    /** What a character is compared as that {@link #of} has no single one for, or that is a pair. */
    static String longer(int c) {
        if (UnseenCharacters.ignorable(c) || UnseenCharacters.mark(c)) {
            return "";
        }
        String known = LONGER_ONES.get(c);
        return known == null ? Character.toString(c) : known;
    }

    private static char[] table() {
        char[] table = new char[0x10000];
        for (int c = 0; c < table.length; c++) {
            table[c] = Character.isSurrogate((char) c) ? LONGER : same(c) ? (char) c : shorter(c);
        }
        // Mathematical letters, enclosed ones, and variants of Han.
        for (int[] range : new int[][] {{0x1D400, 0x1D7FF}, {0x1F100, 0x1F1E5}, {0x2F800, 0x2FA1D}}) {
            for (int c = range[0]; c <= range[1]; c++) {
                LONGER_ONES.put(c, folded(c));
            }
        }
        for (int letter = 0; letter < 26; letter++) {
            String plain = Character.toString('a' + letter);
            LONGER_ONES.put(0x1F150 + letter, plain);
            LONGER_ONES.put(0x1F170 + letter, plain);
        }
        return table;
    }

    /** Han without variants, Korean syllables, and private ones. */
    private static boolean same(int c) {
        return (c >= 0x3400 && c < 0xA000) || (c >= 0xAC00 && c < 0xF900);
    }

    private static char shorter(int c) {
        if (UnseenCharacters.ignorable(c) || UnseenCharacters.mark(c)) {
            return NOTHING;
        }
        if (c < 0x80) {
            return (char) Character.toLowerCase(c);
        }
        String folded = folded(c);
        if (folded.length() > LONGEST) {
            return (char) c; // a whole sentence in a character, which would make copies large
        }
        if (folded.length() != 1) {
            LONGER_ONES.put(c, folded);
        }
        return folded.isEmpty() ? NOTHING : folded.length() == 1 ? folded.charAt(0) : LONGER;
    }

    private static String folded(int c) {
        String letters = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD);
        StringBuilder folded = new StringBuilder();
        letters.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(one -> !UnseenCharacters.mark(one) && !UnseenCharacters.ignorable(one))
                .forEach(folded::appendCodePoint);
        return folded.toString();
    }
}
