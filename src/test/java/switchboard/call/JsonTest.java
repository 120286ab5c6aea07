package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\":1,\"a\":2}", "{} {}", "{}x", "NaN", "{'a':1}", "[1,]", "\u0000"})
    void refusesWhatIsNotExactlyOneValue(String text) {
        assertThrows(JsonProcessingException.class, () -> Json.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\":1,\"a\":2}",
                "{} {}",
                "{}x",
                "NaN",
                "{'a':1}",
                "[1,]",
                "\u0000",
                "\"a",
                "\"\\x\"",
                "[1e",
                "01",
                "DEEP",
                "LONG"
            })
    void aProblemNamesThePlaceAndNothingOfTheParser(String text) {
        String json =
                switch (text) {
                    case "DEEP" -> "[".repeat(Json.MAX_DEPTH + 1);
                    case "LONG" -> "9".repeat(10_000);
                    default -> text;
                };
        String problem = Json.problem(assertThrows(JsonProcessingException.class, () -> Json.parse(json)));
        String place = text.equals("DEEP") || text.equals("LONG") ? "exceeds the maximum" : "(line 1, column ";
        assertTrue(problem.contains(place), problem);
        assertFalse(problem.matches("(?is).*(`|stream|redacted|jackson|feature|constraint|mapper).*"), problem);
    }

    @Test
    void refusesNestingBeyondTheBound() {
        String deep = "[".repeat(Json.MAX_DEPTH + 1) + "]".repeat(Json.MAX_DEPTH + 1);
        assertThrows(JsonProcessingException.class, () -> Json.parse(deep));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807",
                "123456789012345678901234567890",
                "1.10",
                "0.1000000000000000055511151231257827",
                "\"\\u0000\"",
                "\"🎉\"",
                "-0"
            })
    void keepsValuesExactly(String text) throws JsonProcessingException {
        String expected = text.equals("-0") ? "0" : text;
        assertEquals(expected, Json.text(Json.parse(text)));
    }
}
