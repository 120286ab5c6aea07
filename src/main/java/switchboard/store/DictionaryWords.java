package switchboard.store;

import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.util.ULocale;
import java.util.ArrayList;
import java.util.List;

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

    /**
     * A word of a run.
     *
     * @param from its first UTF-16 unit in the run
     * @param text the word
     */
    record Word(int from, String text) {}

    /** The words of a run of letters of such scripts, in order. */
    List<Word> of(String run) {
        boundaries.setText(run);
        List<Word> words = new ArrayList<>();
        int from = boundaries.first();
        for (int to = boundaries.next(); to != BreakIterator.DONE; to = boundaries.next()) {
            String word = run.substring(from, to);
            if (word.codePoints().noneMatch(DictionaryWords::hangul)) {
                words.add(new Word(from, word));
            }
            from = to;
        }
        return words;
    }

    private static boolean hangul(int point) {
        return Character.UnicodeScript.of(point) == Character.UnicodeScript.HANGUL;
    }
}
