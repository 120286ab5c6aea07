package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were computed by hand from the formula in bench/results.md. */
class RelevanceTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0.0110", // an unrelated passage without a word of the query
        "1, 0, 0.8176", // a related one in other words
        "1, 0.4, 0.9992", // a related one with most of the words
        "0, 0.4, 0.7503", // the words in a passage about something else
        "-1, 0, 0.0000"
    })
    void cosineAndWordsGiveItTogether(double place, double words, double relevance) {
        assertEquals(relevance, Relevance.of(place, words), 5e-5);
        assertEquals(
                Math.round(relevance * 1000) / 1000.0,
                Relevance.of(OptionalDouble.of(place), words, true).getAsDouble());
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0180", "0.16, 0.5", "0.45, 0.9993"})
    void withoutAVectorWordsGiveItAlone(double words, double relevance) {
        assertEquals(relevance, Relevance.ofWords(words), 5e-5);
        assertEquals(
                Math.round(relevance * 1000) / 1000.0,
                Relevance.of(OptionalDouble.empty(), words, false).getAsDouble());
    }

    @Test
    void nobodyKnowsItIfOnlyACosineOfUnknownRangeCouldTell() {
        assertTrue(Relevance.of(OptionalDouble.empty(), 0, true).isEmpty());
        assertEquals(0.5, Relevance.of(OptionalDouble.empty(), 0.16, true).getAsDouble(), 5e-5);
    }

    @Test
    void whatIsSaidIsWhatIsCompared() {
        double justBelow = Relevance.of(OptionalDouble.empty(), 0.15999, false).getAsDouble();
        assertEquals(0.5, justBelow, "0.49994 is shown as 0.5, and so it is 0.5");
        assertEquals(
                "No result reaches min_relevance 0.5: the best result has 0.499. Ask in other words, or with a lower"
                        + " min_relevance.",
                Relevance.tooLow(0.5, Relevance.of(OptionalDouble.empty(), 0.15985, false)));
        assertTrue(
                Relevance.tooLow(0.5, OptionalDouble.empty()).startsWith("The relevance of the results is not known"));
    }

    @Test
    void extremesStayBetweenZeroAndOne() {
        assertEquals(1, Relevance.of(1e6, 1));
        assertEquals(0, Relevance.of(-1e6, 0));
    }
}
