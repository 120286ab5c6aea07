package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerTokensTest {
    @Test
    void tokensAreThoseOfTheVocabularyNotAShareOfTheBytes() {
        assertEquals(0, count(""));
        assertEquals(2, count("hello world"));
        assertEquals(count("harbour ".repeat(10)) - count("harbour ".repeat(5)), 5, 1);
    }

    @Test
    void aLongAnswerIsTakenForManyTimesItsBeginning() {
        String kilobyte = "hello world, ".repeat(79);
        double one = count(kilobyte);
        assertEquals(1.0, count(kilobyte.repeat(1_000)) / (1_000 * one), 0.01);
    }

    @Test
    void halfACharacterAtTheEndOfTheSampleDoesNoHarm() {
        long tokens = count("\u20ac".repeat(40_000));
        assertEquals(1.0, tokens / (count("\u20ac".repeat(20_000)) * 2.0), 0.05);
    }

    private static long count(String text) {
        return AnswerTokens.tokens(text.getBytes(StandardCharsets.UTF_8));
    }
}
