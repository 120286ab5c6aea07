package switchboard.store;

import java.util.Arrays;
import java.util.List;

/**
 * The {@value #WORDS} consecutive words of a chunk in which the words of a query score highest, as if they were the whole chunk.
 * Words that are close together say more about a passage than words that are spread over a chunk (term proximity; Tao and Zhai,
 * An Exploration of Proximity Measures in Information Retrieval, 2007).
 *
 * <p>An instance scores one chunk after the other. Not thread-safe.
 */
final class BestWindow {
    /** The length of a window: about a sentence without its stop words; of scripts without spaces as many characters. */
    static final int WORDS = 16;

    /** The terms of as many characters in scripts without spaces: each is one, each with the next, and the words. */
    private static final int TERMS_OF_CHARACTERS = 40;

    private final int terms;
    private final int[] counts;
    private final double[] scores;

    /** Where the current chunk has words of the query: the position in the upper half, the word in the lower. */
    private long[] occurrences = {};

    private int size;

    /**
     * Windows of some terms.
     *
     * @param words the number of the query's words
     * @param terms the length of a window
     */
    BestWindow(int words, int terms) {
        this.terms = terms;
        this.counts = new int[words];
        this.scores = new double[words];
    }

    /** The score of a word that a window has this often. */
    interface WordScore {
        double of(int word, int count);
    }

    /** The length in terms of a window that fits most of these words. */
    static int terms(List<String> words) {
        long unspaced = words.stream()
                .filter(word -> TextAnalysis.unspaced(word.codePointAt(0)))
                .count();
        return 2 * unspaced > words.size() ? TERMS_OF_CHARACTERS : WORDS;
    }

    /** The length of a window in terms. */
    int terms() {
        return terms;
    }

    /** The current chunk has {@code word} at {@code positions}. */
    void add(int word, int[] positions) {
        if (size + positions.length > occurrences.length) {
            occurrences = Arrays.copyOf(occurrences, 2 * (size + positions.length));
        }
        for (int position : positions) {
            occurrences[size++] = ((long) position << Integer.SIZE) | word;
        }
    }

    /** The score of the current chunk; the next call of {@link #add} is about another one. */
    double score(WordScore word) {
        Arrays.sort(occurrences, 0, size);
        Arrays.fill(counts, 0);
        Arrays.fill(scores, 0);
        double best = 0;
        double sum = 0;
        int first = 0;
        for (int last = 0; last < size; last++) {
            sum += change(word(last), 1, word);
            for (; position(first) <= position(last) - terms; first++) {
                sum += change(word(first), -1, word);
            }
            best = Math.max(best, sum);
        }
        size = 0;
        return best;
    }

    private int word(int occurrence) {
        return (int) occurrences[occurrence];
    }

    private long position(int occurrence) {
        return occurrences[occurrence] >> Integer.SIZE;
    }

    /** By how much a window's score changes if it has {@code word} once more or once less. */
    private double change(int word, int times, WordScore score) {
        counts[word] += times;
        double before = scores[word];
        scores[word] = counts[word] == 0 ? 0 : score.of(word, counts[word]);
        return scores[word] - before;
    }
}
