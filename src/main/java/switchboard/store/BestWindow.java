package switchboard.store;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.SmallFloat;

/**
 * BM25 of the {@value #WORDS} consecutive words of a chunk in which it is highest, as if they were the whole chunk. Words that
 * are close together say more about a passage than words that are spread over a chunk (term proximity; Tao and Zhai, An
 * Exploration of Proximity Measures in Information Retrieval, 2007).
 *
 * <p>An instance scores one chunk after the other. Not thread-safe.
 */
final class BestWindow {
    /** The length of a window: about a sentence without its stop words; of scripts without spaces as many characters. */
    static final int WORDS = 16;

    /** In scripts without spaces each character is a term, and so is each with the next. */
    private static final int TERMS_PER_CHARACTER = 2;

    private final List<SimScorer> words;
    private final int terms;
    private final int[] counts;
    private final double[] scores;

    /** Where the current chunk has words of the query: the position in the upper half, the word in the lower. */
    private long[] occurrences = new long[64];

    private int size;
    private int norm;

    /**
     * Windows of some terms.
     *
     * @param words the scores of the query's words
     * @param terms the length of a window
     */
    BestWindow(List<SimScorer> words, int terms) {
        this.words = words;
        this.terms = terms;
        this.counts = new int[words.size()];
        this.scores = new double[words.size()];
    }

    /** The length in terms of a window that fits most of {@code words}. */
    static int terms(List<IndexedWord> words) {
        long unspaced = words.stream()
                .filter(word -> TextAnalysis.unspaced(word.name().codePointAt(0)))
                .count();
        return 2 * unspaced > words.size() ? TERMS_PER_CHARACTER * WORDS : WORDS;
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

    /**
     * The score of the current chunk; the next call of {@link #add} is about another one.
     *
     * @param length the chunk's length as Lucene stores lengths, where longer ones are larger. A window is not longer than its
     *     chunk
     */
    double score(long length) {
        norm = Math.min(SmallFloat.intToByte4(terms), Byte.toUnsignedInt((byte) length));
        Arrays.sort(occurrences, 0, size);
        Arrays.fill(counts, 0);
        Arrays.fill(scores, 0);
        double best = 0;
        double sum = 0;
        int first = 0;
        for (int last = 0; last < size; last++) {
            sum += change(word(last), 1);
            for (; position(first) <= position(last) - terms; first++) {
                sum += change(word(first), -1);
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
    private double change(int word, int times) {
        counts[word] += times;
        double before = scores[word];
        scores[word] = counts[word] == 0 ? 0 : words.get(word).score(counts[word], norm);
        return scores[word] - before;
    }
}
