package switchboard.signal;

import java.util.Arrays;

/**
 * A text as phrases are compared with it, and where its characters come from. Case, accents, width and characters that are not
 * seen make no difference in it; Korean letters that are written one by one are syllables. Takes time that grows with the length
 * of the text; a text of ASCII is not copied. Immutable.
 */
final class FoldedText {
    private static final int SYLLABLES = 0xAC00;
    private static final int VOWELS = 21;
    private static final int FINALS = 28;

    private final String original;
    private final String text;
    private final boolean without;
    private final boolean spaceless;
    /** Where the distance to the original changes, and what it comes from. */
    private final int[] places;

    private final int[] sources;

    private FoldedText(String text) {
        this.original = text;
        this.text = text;
        this.without = false;
        this.spaceless = false;
        this.places = new int[0];
        this.sources = places;
    }

    private FoldedText(Folding folding) {
        this.original = folding.original;
        this.text = new String(folding.chars, 0, folding.length);
        this.without = folding.without;
        this.spaceless = folding.spaceless;
        this.places = Arrays.copyOf(folding.places, folding.changes);
        this.sources = Arrays.copyOf(folding.sources, folding.changes);
    }

    static FoldedText of(String text) {
        return plain(text) ? new FoldedText(text) : new Folding(text, false).folded();
    }

    /** The same with a space for each character that is not seen. */
    static FoldedText spaced(String text) {
        return new Folding(text, true).folded();
    }

    /** Whether it is its own copy. */
    private static boolean plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7F || c == 0x7F || (c < ' ' && UnseenCharacters.ignorable(c))) {
                return false;
            }
        }
        return true;
    }

    static boolean ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0x7F) {
                return false;
            }
        }
        return true;
    }

    String text() {
        return text;
    }

    /** Whether it has fewer characters because some are not seen. Accents do not count. */
    boolean without() {
        return without;
    }

    /** Whether it has Han, Kana or Hangul. */
    boolean spaceless() {
        return spaceless;
    }

    /** What the characters from {@code start} to {@code end} come from. */
    String original(int start, int end) {
        return original.substring(start(start), end(end));
    }

    /** Where the character at {@code place} begins in the original. */
    int start(int place) {
        int at = Arrays.binarySearch(places, place);
        int before = at >= 0 ? at : -at - 2;
        return before < 0 ? place : sources[before] + (place - places[before]);
    }

    /** Where the character before {@code place} ends in the original, with its accents. */
    int end(int place) {
        if (places.length == 0) {
            return place;
        }
        int last = start(place - 1);
        int end = last + Character.charCount(original.codePointAt(last));
        for (int i = end; i < original.length(); ) {
            int c = original.codePointAt(i);
            i += Character.charCount(c);
            if (belongsToTheOneBefore(c)) {
                end = i;
            } else if (!UnseenCharacters.ignorable(c)) {
                break;
            }
        }
        return end;
    }

    private static boolean belongsToTheOneBefore(int c) {
        return UnseenCharacters.mark(c) || vowel(c) || last(c);
    }

    private static boolean vowel(int c) {
        return c > 0x1160 && c <= 0x1175;
    }

    private static boolean last(int c) {
        return c > 0x11A7 && c <= 0x11C2;
    }

    /** Makes one. */
    private static final class Folding {
        private final String original;
        private final boolean spaced;
        private char[] chars;
        private int length;
        private boolean without;
        private boolean spaceless;
        private int[] places = new int[16];
        private int[] sources = new int[16];
        private int changes;
        private int expected;

        Folding(String original, boolean spaced) {
            this.original = original;
            this.spaced = spaced;
            this.chars = new char[original.length() + 16];
        }

        FoldedText folded() {
            for (int i = 0; i < original.length(); ) {
                char c = original.charAt(i);
                char folded = LetterFolding.of(c);
                if (folded > LetterFolding.LONGER) {
                    add(folded, i++);
                } else {
                    i = others(i);
                }
            }
            return new FoldedText(this);
        }

        private int others(int i) {
            int c = original.codePointAt(i);
            String folded = LetterFolding.longer(c);
            int next = i + Character.charCount(c);
            if (folded.isEmpty() && UnseenCharacters.ignorable(c) && !UnseenCharacters.mark(c)) {
                without = true;
                folded = spaced ? " " : "";
            }
            // A pair that stays has each of its halves at its own place.
            boolean pair = Character.isSupplementaryCodePoint(c) && folded.length() == 2;
            for (int k = 0; k < folded.length(); k++) {
                add(folded.charAt(k), pair ? i + k : i);
            }
            return next;
        }

        private void add(char c, int source) {
            if (c > 0x1160 && c <= 0x11C2 && length > 0 && composed(c)) {
                return;
            }
            if (source != expected) {
                change(source);
            }
            if (length == chars.length) {
                chars = Arrays.copyOf(chars, length * 2);
            }
            chars[length++] = c;
            spaceless |= c >= 0x2E80 && c < 0xD800;
            expected = source + 1;
        }

        private void change(int source) {
            if (changes == places.length) {
                places = Arrays.copyOf(places, changes * 2);
                sources = Arrays.copyOf(sources, changes * 2);
            }
            places[changes] = length;
            sources[changes++] = source;
        }

        /** Adds a vowel or a last consonant to the syllable before it, if there is one that lacks it. */
        private boolean composed(char c) {
            // The first consonant is written outside of the range of syllables.
            spaceless = true;
            char before = chars[length - 1];
            if (vowel(c) && before >= 0x1100 && before <= 0x1112) {
                chars[length - 1] = (char) (SYLLABLES + ((before - 0x1100) * VOWELS + (c - 0x1161)) * FINALS);
                return true;
            }
            if (last(c) && before >= SYLLABLES && before <= 0xD7A3 && (before - SYLLABLES) % FINALS == 0) {
                chars[length - 1] = (char) (before + c - 0x11A7);
                return true;
            }
            return false;
        }
    }
}
