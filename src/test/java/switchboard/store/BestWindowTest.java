package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.Test;

/** The best window of made chunks, against all windows of each. */
class BestWindowTest {
    private static final CollectionStatistics CHUNKS = new CollectionStatistics("content", 1000, 1000, 50_000, 30_000);

    /** Words that fewer chunks have, the later the fewer. */
    private static List<SimScorer> words(int count) {
        List<SimScorer> words = new ArrayList<>();
        for (int word = 0; word < count; word++) {
            words.add(KeywordRetriever.SIMILARITY.scorer(
                    1, CHUNKS, new TermStatistics(new BytesRef("w" + word), 500 >> word, 900)));
        }
        return words;
    }

    /** The score of the window that begins at {@code start}. */
    private static double window(List<SimScorer> words, List<int[]> positions, int start, long length) {
        double sum = 0;
        for (int word = 0; word < words.size(); word++) {
            int count = 0;
            for (int position : positions.get(word)) {
                count += position >= start && position < start + BestWindow.WORDS ? 1 : 0;
            }
            sum += count == 0 ? 0 : words.get(word).score(count, length);
        }
        return sum;
    }

    @Test
    void noWindowIsBetter() {
        Random random = new Random(5);
        List<SimScorer> words = words(6);
        BestWindow best = new BestWindow(words.size(), BestWindow.WORDS);
        for (int chunk = 0; chunk < 300; chunk++) {
            int length = 1 + random.nextInt(200);
            List<int[]> positions = new ArrayList<>();
            for (int word = 0; word < words.size(); word++) {
                TreeSet<Integer> places = new TreeSet<>();
                for (int i = random.nextInt(1 + random.nextInt(40)); i > 0; i--) {
                    places.add(random.nextInt(length));
                }
                positions.add(places.stream().mapToInt(Integer::intValue).toArray());
                best.add(word, positions.getLast());
            }
            long norm = SmallFloat.intToByte4(Math.min(length, BestWindow.WORDS));
            double expected = 0;
            for (int start = 0; start < length; start++) {
                expected = Math.max(expected, window(words, positions, start, norm));
            }
            assertEquals(expected, best.score((word, count) -> words.get(word).score(count, norm)), 1e-6);
        }
    }

    @Test
    void aWindowEndsBeforeTheSeventeenthTerm() {
        List<SimScorer> words = words(2);
        BestWindow best = new BestWindow(words.size(), BestWindow.WORDS);
        long norm = SmallFloat.intToByte4(BestWindow.WORDS);
        best.add(0, new int[] {10});
        best.add(1, new int[] {10 + BestWindow.WORDS - 1});
        double both = words.get(0).score(1, norm) + words.get(1).score(1, norm);
        assertEquals(both, best.score((word, count) -> words.get(word).score(count, norm)), 1e-6);
        best.add(0, new int[] {10});
        best.add(1, new int[] {10 + BestWindow.WORDS});
        assertEquals(
                words.get(1).score(1, norm),
                best.score((word, count) -> words.get(word).score(count, norm)),
                1e-6);
    }

    /** Of a script without spaces each character is a term, each with the next, and each word. */
    @Test
    void ofScriptsWithoutSpacesItHasAsManyCharacters() {
        assertEquals(16, BestWindow.terms(List.of("harbour", "港口")));
        assertEquals(40, BestWindow.terms(List.of("harbour", "港口", "港")));
        assertEquals(16, BestWindow.terms(List.of("гавань")));
    }

    @Test
    void aChunkWithoutWordsOrWithVeryManyHasAScore() {
        BestWindow best = new BestWindow(1, BestWindow.WORDS);
        assertEquals(0, best.score((_, count) -> count));
        int[] everywhere = new int[100_000];
        Arrays.setAll(everywhere, i -> i);
        best.add(0, everywhere);
        assertEquals(BestWindow.WORDS, best.score((_, count) -> count));
    }
}
