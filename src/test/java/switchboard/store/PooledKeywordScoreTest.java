package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.TermStatistics;

/** Scores of passages of several collections, calculated by hand from the formula of BM25 with k1 = 1.2 and b = 0.75. */
class PooledKeywordScoreTest {
    private static final double EXACT = 1e-9;

    private static double idf(double passages, double holders) {
        return Math.log(1 + (passages - holders + 0.5) / (holders + 0.5));
    }

    private static double[] scores(String query, List<String> passages, TermStatistics more) {
        return PooledKeywordScore.of(query, passages, more).values();
    }

    @Test
    void theQuerysLanguageIsOneOfThePassages() {
        String german = "Die Schiffe sind in der Nacht mit dem Lotsen in den Hafen gekommen";
        String question = "Wie sind die Schiffe in den Hafen gekommen";
        assertEquals(Optional.of("de"), of(question, german).language());
        assertEquals(
                Optional.empty(),
                of(question, "The ships came into the harbour at night").language());
        assertEquals(Optional.empty(), of("harbour", german).language());
    }

    private static PooledKeywordScore.Scores of(String query, String passage) {
        return PooledKeywordScore.of(query, List.of(passage), TermStatistics.NONE);
    }

    @Test
    void aWordCountsByItsRarityItsNumberAndTheLengthOfThePassage() {
        // Four, two and two terms: on average 8/3.
        List<String> passages = List.of("winch winch rope rope", "winch rope", "anchor chain");
        double winch = idf(3, 2);
        double anchor = idf(3, 1);
        double mean = 8 / 3.0;
        double longer = 1.2 * (0.25 + 0.75 * 4 / mean);
        double shorter = 1.2 * (0.25 + 0.75 * 2 / mean);
        double most = winch + anchor;
        assertArrayEquals(
                new double[] {
                    winch * 2 / (2 + longer) / most, winch / (1 + shorter) / most, anchor / (1 + shorter) / most
                },
                scores("winch anchor", passages, TermStatistics.NONE),
                EXACT);
    }

    @Test
    void statisticsOfTheCollectionsArePooledWithThoseOfThePassages() {
        // 97 more passages of 300 terms, 9 of them with the word: 100 passages of 304 terms.
        TermStatistics more = new TermStatistics(98, 300, Map.of("winch", 9L));
        double norm = 1.2 * (0.25 + 0.75 * 2 / (304 / 100.0));
        assertArrayEquals(
                new double[] {1 / (1 + norm), 0}, scores("winch", List.of("winch rope", "anchor chain"), more), EXACT);
        double rare = idf(100, 1);
        double frequent = idf(100, 10);
        assertArrayEquals(
                new double[] {frequent / (1 + norm) / (frequent + rare), rare / (1 + norm) / (frequent + rare)},
                scores("winch anchor", List.of("winch rope", "anchor chain"), more),
                EXACT);
    }

    /** Forty terms each: in the first the query's words are next to each other, in the second they are far apart. */
    private static List<String> closeAndFar(String between) {
        List<String> filler = IntStream.range(0, 38)
                .mapToObj(i -> "q" + (char) ('a' + i / 26) + (char) ('a' + i % 26))
                .toList();
        String others = String.join(between, filler);
        return List.of(
                String.join(between, others, "winch", "anchor"), String.join(between, "winch", others, "anchor"));
    }

    @Test
    void inARankingOfProseWordsThatAreCloseTogetherCountMore() {
        PooledKeywordScore.Scores scores = PooledKeywordScore.of("anchor winch", closeAndFar(" "), TermStatistics.NONE);
        double whole = 1 / (1 + 1.2);
        assertArrayEquals(new double[] {whole, whole}, scores.values(), EXACT);
        // Both words are in the window of sixteen terms, or one of them.
        double window = 1 / (1 + 1.2 * (0.25 + 0.75 * 16 / 40));
        assertArrayEquals(
                new double[] {0.6 * whole + 0.4 * window, 0.6 * whole + 0.4 * window / 2},
                scores.withProximity(),
                EXACT);
    }

    @Test
    void inSourceCodeAndInShortPassagesTheyDoNot() {
        PooledKeywordScore.Scores code =
                PooledKeywordScore.of("anchor winch", closeAndFar("(); "), TermStatistics.NONE);
        assertArrayEquals(code.values(), code.withProximity());
        PooledKeywordScore.Scores shorter = PooledKeywordScore.of(
                "anchor winch", List.of("winch rope anchor", "anchor", "rope"), TermStatistics.NONE);
        assertArrayEquals(shorter.values(), shorter.withProximity(), EXACT);
    }

    @Test
    void aWordThatNobodyHasLowersAllScoresAndNothingIsDividedByNothing() {
        double one = scores("winch", List.of("winch"), TermStatistics.NONE)[0];
        double half = scores("winch zeppelin", List.of("winch"), TermStatistics.NONE)[0];
        assertEquals(one * idf(1, 1) / (idf(1, 1) + idf(1, 0)), half, EXACT);
        assertArrayEquals(new double[] {0}, scores("", List.of("winch"), TermStatistics.NONE));
        assertArrayEquals(new double[] {0, 0}, scores("winch", List.of("", " "), TermStatistics.NONE));
        assertEquals(0, scores("winch", List.of(), TermStatistics.NONE).length);
    }

    @Test
    void statisticsSayHowManyPassagesHaveEachWord() {
        TermStatistics told =
                PooledKeywordScore.statistics("winches zeppelin", List.of("winch winch rope", "a winch", "anchor"));
        assertEquals(new TermStatistics(3, 5, Map.of("winch", 2L, "zeppelin", 0L)), told);
    }

    @Test
    void ofALongQueryTheRarestWordsCount() {
        String query = String.join(
                " ",
                IntStream.range(0, QueryWords.MAX + 1)
                        .mapToObj(i -> "word" + letters(i))
                        .toList());
        String first = "word" + letters(0);
        // The first word is the most frequent one, so it is the one that is left out.
        double[] scores = scores(query, List.of(query, first, first), TermStatistics.NONE);
        assertEquals(0, scores[1]);
        assertTrue(scores[0] > 0);
    }

    private static String letters(int number) {
        return "" + (char) ('b' + number % 20) + (char) ('b' + number / 20 % 20) + (char) ('b' + number / 400) + "k";
    }
}
