package switchboard.store;

import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.util.ULocale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the words of scripts that have no spaces between them, with ICU's dictionaries: Chinese, Japanese, Thai, Lao, Khmer and
 * Burmese. There is none for Korean, whose words are not found.
 *
 * <p>An instance is for one text. Not thread-safe.
 */
final class DictionaryWords {
    /** To copy it is faster than to make another one. */
    private static final BreakIterator BOUNDARIES = BreakIterator.getWordInstance(ULocale.ROOT);

    private final BreakIterator boundaries = BOUNDARIES.clone();

    /** The words of a run of letters of such scripts, by the place of their first UTF-16 unit. */
    SortedMap<Integer, String> of(String run) {
        boundaries.setText(run);
        SortedMap<Integer, String> words = new TreeMap<>();
        int from = boundaries.first();
        for (int to = boundaries.next(); to != BreakIterator.DONE; to = boundaries.next()) {
            String word = run.substring(from, to);
            if (word.codePoints().noneMatch(DictionaryWords::hangul)) {
                words.put(from, word);
            }
            from = to;
        }
        return words;
    }

    private static boolean hangul(int point) {
        return Character.UnicodeScript.of(point) == Character.UnicodeScript.HANGUL;
    }
}
