package switchboard.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurrogatePairsTest {
    private static final String ELEPHANT = "\uD83D\uDC18";

    @Test
    void aPositionInsideAPairMovesToEitherSideOfIt() {
        String text = "a" + ELEPHANT + "b";
        assertEquals(3, SurrogatePairs.after(text, 2));
        assertEquals(1, SurrogatePairs.before(text, 2));
    }

    @Test
    void everyOtherPositionStays() {
        String text = "\uDC18" + ELEPHANT + ELEPHANT + "\uD83D";
        for (int at : new int[] {0, 1, 3, 5, 6}) {
            assertEquals(at, SurrogatePairs.after(text, at));
            assertEquals(at, SurrogatePairs.before(text, at));
        }
        assertEquals(0, SurrogatePairs.before("", 0));
    }

    @Test
    void aStartHasWholeCharacters() {
        String text = "a" + ELEPHANT + "b";
        List<String> starts = IntStream.rangeClosed(0, 5)
                .mapToObj(most -> SurrogatePairs.start(text, most))
                .toList();
        assertEquals(List.of("", "a", "a", "a" + ELEPHANT, text, text), starts);
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "\uD83D\uDC18 whole, \uD83D\uDC18 whole",
        "\uD83Dx, \uFFFDx",
        "x\uDC18, x\uFFFD",
        "\uDC18\uD83D, \uFFFD\uFFFD",
        "\uD83D\uD83D\uDC18, \uFFFD\uD83D\uDC18"
    })
    void halfACharacterIsReplacedInItsPlace(String text, String wellFormed) {
        assertEquals(wellFormed, SurrogatePairs.replaceLone(text));
        assertEquals(text.length(), SurrogatePairs.replaceLone(text).length());
        assertEquals(text.equals(wellFormed), SurrogatePairs.wellFormed(text));
    }
}
