package switchboard.signal;

import java.lang.Character.UnicodeScript;
import java.util.Set;

/**
 * Finds characters that are not seen where the text around them has no use for them: twice or more inside words of a script
 * that needs none, three in a row anywhere or in a text without any others, tags, variation selectors in a row or after a
 * Latin letter, and four marks of direction in a row. Joiners in emoji, Persian and Indic scripts, breaks in Thai, Khmer and
 * Japanese, what keeps two letters from being one sign, and hyphens of a hyphenated text are not found.
 */
final class InvisibleCharacters {
    private static final char SOFT_HYPHEN = '\u00AD';
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    /** Fewer may be what an editor or a copied page left behind. */
    private static final int LEAST_IN_WORDS = 2;

    private static final int LEAST_IN_A_ROW = 3;
    /** Two in a row are usual in right-to-left texts. */
    private static final int LEAST_DIRECTIONS = 4;

    /** Of Kana, and for Unicode of no script. */
    private static final char LONG_VOWEL = '\u30FC';

    private static final char BREAK = '\u200B';
    private static final char NON_JOINER = '\u200C';
    /** Letters that fonts write as one sign. */
    private static final Set<String> LIGATURES = Set.of("ff", "fi", "fj", "fl", "ft", "fb", "fh", "fk");

    private static final Set<String> GERMAN_LIGATURES = Set.of(
            "ff", "fi", "fj", "fl", "ft", "fb", "fh", "fk", "st", "ss", "sc", "si", "sp", "ch", "ck", "tt", "tz");

    private static final String GERMAN = "\u00E4\u00F6\u00FC\u00DF\u00C4\u00D6\u00DC";
    /** Parts of one letter between two soft hyphens: no language hyphenates like that. */
    private static final int LEAST_LETTERS = 3;

    private InvisibleCharacters() {}

    /** Whether {@code c} takes no room and is no letter. */
    private static boolean zeroWidth(char c) {
        return (c >= '\u200B' && c <= '\u200F')
                || (c >= '\u2060' && c <= '\u2064')
                || (c >= '\u202A' && c <= '\u202E')
                || (c >= '\u2066' && c <= '\u206F')
                || c == SOFT_HYPHEN
                || c == BYTE_ORDER_MARK
                || c == '\u180E';
    }

    private static boolean invisible(int c) {
        return (c >= 0x200B && c <= 0x200D)
                || (c >= 0x2060 && c <= 0x2064)
                || (c >= 0x206A && c <= 0x206F)
                || c == BYTE_ORDER_MARK
                || c == 0x180E
                || c == 0x115F
                || c == 0x1160
                || c == 0x3164
                || c == 0xFFA0;
    }

    static boolean tag(int c) {
        return c >= 0xE0000 && c <= 0xE007F;
    }

    /** A mark of direction, which texts in Arabic and Hebrew need. */
    private static boolean direction(int c) {
        return c == 0x200E || c == 0x200F || c == 0x061C;
    }

    private static boolean selector(int c) {
        return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
    }

    static void find(String text, SignalCounter found) {
        SignalCounter inWords = new SignalCounter();
        int words = 0;
        Set<String> ligatures = ligatures(text);
        int typeset = 0;
        int lastTypeset = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            int size = Character.charCount(c);
            if (c < 0x1160 - 1 && c != SOFT_HYPHEN) {
                i += size;
                continue;
            }
            int end = runEnd(text, i);
            if (end > i) {
                if (suspiciousRun(text, i, end)) {
                    found.add(SignalKind.INVISIBLE_CHARACTERS, i, end);
                } else if (insideWord(text, i, end)) {
                    boolean usual = typeset(text, i, end, ligatures);
                    typeset = !usual ? 0 : i == lastTypeset + 1 ? typeset + 1 : 1;
                    lastTypeset = end;
                    if (!usual || typeset > LEAST_LETTERS) {
                        inWords.add(SignalKind.INVISIBLE_CHARACTERS, i, end);
                        words += usual ? LEAST_IN_WORDS : 1;
                    }
                }
            }
            i = Math.max(end, i + size);
        }
        if (words >= LEAST_IN_WORDS) {
            found.addAll(inWords);
        }
        softHyphens(text, found);
        nothingElse(text, found);
    }

    /** Where the invisible characters end that begin at {@code from}; {@code from} if there are none. */
    private static int runEnd(String text, int from) {
        int i = from;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (!invisible(c) && !tag(c) && !selector(c) && !direction(c)) {
                break;
            }
            i += Character.charCount(c);
        }
        return i;
    }

    private static boolean suspiciousRun(String text, int start, int end) {
        int first = text.codePointAt(start);
        int before = start == 0 ? -1 : text.codePointBefore(start);
        if (tag(first)) {
            return before != 0x1F3F4;
        }
        int selectors = 0;
        int directions = 0;
        int others = 0;
        for (int i = start; i < end; ) {
            int c = text.codePointAt(i);
            if (tag(c)) {
                return true;
            }
            if (selector(c)) {
                selectors++;
            } else if (direction(c)) {
                directions++;
            } else {
                others++;
            }
            i += Character.charCount(c);
        }
        // An emoji may have one selector, and a joiner after it.
        return selectors > 1
                || others >= LEAST_IN_A_ROW
                || directions >= LEAST_DIRECTIONS
                || (selectors == 1 && others == 0 && before < 0x250 && Character.isLetter(before));
    }

    private static boolean insideWord(String text, int start, int end) {
        return start > 0
                && end < text.length()
                && plain(text.codePointBefore(start))
                && plain(text.codePointAt(end))
                && !newPart(text.codePointBefore(start), text.codePointAt(end))
                && !selector(text.codePointAt(start))
                && !allDirections(text, start, end);
    }

    /** What ordinary typesetting has between two letters: a break in Japanese, and no ligature of an f. */
    private static boolean typeset(String text, int start, int end, Set<String> ligatures) {
        char before = text.charAt(start - 1);
        char after = text.charAt(end);
        return end == start + 1
                && switch (text.charAt(start)) {
                    case BREAK -> kana(before) || kana(after);
                    case NON_JOINER -> ligatures.contains("" + before + after);
                    default -> false;
                };
    }

    /** Those of the language of {@code text}, as far as its letters tell. */
    private static Set<String> ligatures(String text) {
        boolean german = text.indexOf(NON_JOINER) >= 0 && GERMAN.chars().anyMatch(c -> text.indexOf(c) >= 0);
        return german ? GERMAN_LIGATURES : LIGATURES;
    }

    private static boolean kana(char c) {
        UnicodeScript script = UnicodeScript.of(c);
        return script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA || c == LONG_VOWEL;
    }

    private static boolean allDirections(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (!direction(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** A text in which nothing can be seen. */
    private static void nothingElse(String text, SignalCounter found) {
        int first = -1;
        int last = -1;
        int number = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int size = Character.charCount(c);
            if (invisible(c) || tag(c) || selector(c) || (size == 1 && zeroWidth((char) c))) {
                first = first < 0 ? i : first;
                last = i + size;
                number++;
            } else if (!Character.isWhitespace(c)) {
                return;
            }
            i += size;
        }
        if (number >= LEAST_IN_A_ROW) {
            found.add(SignalKind.INVISIBLE_CHARACTERS, first, last);
        }
    }

    /** A letter of a script that needs no invisible characters. */
    private static boolean plain(int c) {
        if (!Character.isLetter(c)) {
            return false;
        }
        return switch (UnicodeScript.of(c)) {
            case LATIN, CYRILLIC, GREEK, ARMENIAN, GEORGIAN, HAN, HIRAGANA, KATAKANA -> true;
            default -> c == LONG_VOWEL;
        };
    }

    /** As in longNames: pages have a place for a line break there. Texts of Han may be broken anywhere. */
    private static boolean newPart(int before, int after) {
        return (Character.isLowerCase(before) && Character.isUpperCase(after))
                || Character.isIdeographic(before)
                || Character.isIdeographic(after);
    }

    /** Letters that soft hyphens separate one by one. */
    private static void softHyphens(String text, SignalCounter found) {
        int first = -1;
        int letters = 0;
        for (int i = text.indexOf(SOFT_HYPHEN); i >= 0; i = text.indexOf(SOFT_HYPHEN, i + 1)) {
            boolean oneLetter = i + 2 < text.length()
                    && text.charAt(i + 2) == SOFT_HYPHEN
                    && Character.isLetter(text.charAt(i + 1));
            if (oneLetter) {
                first = letters == 0 ? i : first;
                letters++;
            } else {
                add(found, first, i, letters);
                letters = 0;
            }
        }
    }

    private static void add(SignalCounter found, int first, int last, int letters) {
        if (letters >= LEAST_LETTERS) {
            found.add(SignalKind.INVISIBLE_CHARACTERS, first, last + 1);
        }
    }
}
