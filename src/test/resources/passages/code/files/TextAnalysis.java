package switchboard.store;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.tartarus.snowball.ext.PorterStemmer;

/**
 * Splits texts into terms for keyword search. An identifier ({@code getUserName}, {@code HTTPServer}, {@code
 * max_size}, {@code utf8}, {@code java.util}) becomes its lower-case, stemmed parts and the whole word. English stop
 * words are left out; queries also lose words such as "what" and "how". Scripts without spaces between words become
 * pairs of letters; Chinese characters also become single terms.
 *
 * <p>An instance analyses one text.
 */
final class TextAnalysis {
    /** Maximum length of a term. Longer ones are encoded data rather than words and are cut. */
    static final int MAX_TERM = 128;

    private static final Set<String> STOP_WORDS = words(
            "a an and are as at be but by for if in into is it no not of on or such that the their then there these"
                    + " they this to was will with");

    private static final Set<String> QUESTION_WORDS =
            words("what how does do did which when where why who whom can could should would i you me my we our your");

    private final PorterStemmer stemmer = new PorterStemmer();
    private final List<String> terms = new ArrayList<>();
    private final boolean question;
    private boolean questionWordsLeftOut;

    private TextAnalysis(boolean question) {
        this.question = question;
    }

    private static Set<String> words(String spaced) {
        return Set.of(spaced.split(" "));
    }

    /** The terms of a stored text, in order. */
    static List<String> ofDocument(String text) {
        TextAnalysis analysis = new TextAnalysis(false);
        analysis.scan(normal(text));
        return analysis.terms;
    }

    /** The terms of a query, in order. A query of question words only keeps them. */
    static List<String> ofQuery(String text) {
        TextAnalysis analysis = new TextAnalysis(true);
        analysis.scan(normal(text));
        return analysis.terms.isEmpty() && analysis.questionWordsLeftOut ? ofDocument(text) : analysis.terms;
    }

    private static String normal(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private void scan(String text) {
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            int end = at + Character.charCount(point);
            if (unspaced(point)) {
                end = endOfRun(text, end, true);
                pairs(text, at, end);
            } else if (inWord(point)) {
                end = endOfWord(text, end);
                word(text.substring(at, end));
            }
            at = end;
        }
    }

    private static int endOfRun(String text, int from, boolean unspaced) {
        int at = from;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (!inWord(point) || unspaced(point) != unspaced) {
                break;
            }
            at += Character.charCount(point);
        }
        return at;
    }

    /** The end of the word. A dot or an apostrophe between word characters belongs to the word. */
    private static int endOfWord(String text, int from) {
        int end = endOfRun(text, from, false);
        while (end + 1 < text.length() && joins(text.charAt(end))) {
            int next = endOfRun(text, end + 1, false);
            if (next == end + 1) {
                break;
            }
            end = next;
        }
        return end;
    }

    private static boolean joins(char c) {
        return c == '.' || c == '\'' || c == '’';
    }

    private static boolean inWord(int point) {
        return Character.isLetterOrDigit(point)
                || point == '_'
                || switch (Character.getType(point)) {
                    case Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.LETTER_NUMBER -> true;
                    default -> false;
                };
    }

    private static boolean unspaced(int point) {
        if (point < 0x0E00) {
            return false;
        }
        return switch (Character.UnicodeScript.of(point)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, THAI, LAO, KHMER, MYANMAR -> inWord(point);
            default -> false;
        };
    }

    private void pairs(String text, int from, int to) {
        int[] points = text.substring(from, to).codePoints().toArray();
        if (question) {
            queryPairs(points);
        } else {
            documentPairs(points);
        }
    }

    /** Each letter, and each with the next. */
    private void documentPairs(int[] points) {
        for (int i = 0; i < points.length; i++) {
            terms.add(new String(points, i, 1));
            if (i + 1 < points.length) {
                terms.add(new String(points, i, 2));
            }
        }
    }

    /**
     * Each letter with the next. Single Chinese characters follow, as many are words by themselves and no pair shows that
     * they are; single letters of a syllabary say nothing.
     */
    private void queryPairs(int[] points) {
        for (int i = 0; i + 1 < points.length; i++) {
            terms.add(new String(points, i, 2));
        }
        for (int i = 0; i < points.length; i++) {
            if (points.length == 1 || Character.UnicodeScript.of(points[i]) == Character.UnicodeScript.HAN) {
                terms.add(new String(points, i, 1));
            }
        }
    }

    private void word(String found) {
        String word = withoutPossessive(found);
        int start = 0;
        boolean split = false;
        for (int at = 1; at <= word.length(); at++) {
            if (at < word.length() && !splits(word, at)) {
                continue;
            }
            split |= at < word.length();
            if (!separates(word.charAt(start))) {
                part(word.substring(start, at));
            }
            start = at;
        }
        if (split) {
            terms.add(cut(folded(word)));
        }
    }

    private static String withoutPossessive(String word) {
        int length = word.length();
        boolean possessive = length > 2
                && (word.charAt(length - 1) == 's' || word.charAt(length - 1) == 'S')
                && (word.charAt(length - 2) == '\'' || word.charAt(length - 2) == '’');
        return possessive ? word.substring(0, length - 2) : word;
    }

    private static boolean separates(char c) {
        return c == '_' || c == '.';
    }

    /** Whether the word is split before {@code at}. */
    private static boolean splits(String word, int at) {
        char left = word.charAt(at - 1);
        char right = word.charAt(at);
        if (separates(left) || separates(right)) {
            return separates(left) != separates(right);
        }
        if (Character.isDigit(left) != Character.isDigit(right)) {
            return Character.isLetter(left) || Character.isLetter(right);
        }
        if (!Character.isUpperCase(right)) {
            return false;
        }
        return Character.isLowerCase(left)
                || (Character.isUpperCase(left)
                        && at + 1 < word.length()
                        && Character.isLowerCase(word.charAt(at + 1)));
    }

    private void part(String part) {
        String folded = folded(part);
        if (STOP_WORDS.contains(folded)) {
            return;
        }
        if (question && QUESTION_WORDS.contains(folded)) {
            questionWordsLeftOut = true;
            return;
        }
        stemmer.setCurrent(folded);
        stemmer.stem();
        String stem = stemmer.getCurrent();
        // Of a lone "s" the algorithm leaves nothing.
        terms.add(cut(stem.isEmpty() ? folded : stem));
    }

    private static String folded(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            if (lower.charAt(i) >= 0x80) {
                char[] in = lower.toCharArray();
                char[] out = new char[4 * in.length];
                return new String(out, 0, ASCIIFoldingFilter.foldToASCII(in, 0, out, 0, in.length));
            }
        }
        return lower;
    }

    private static String cut(String term) {
        if (term.length() <= MAX_TERM) {
            return term;
        }
        return term.substring(0, Character.isLowSurrogate(term.charAt(MAX_TERM)) ? MAX_TERM - 1 : MAX_TERM);
    }
}
