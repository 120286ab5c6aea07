package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

class JsonPatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}|{\"a\":1,\"b\":2}",
                "{\"a\":\"$any\"}|{\"a\":null}",
                "{\"a\":\"$absent\"}|{}",
                "\"~b+\"|\"abbc\"",
                "[1,\"$any\"]|[1,2]",
                "{\"$exactly\":{}}|{}",
                "{\"$size\":2}|[1,2]",
                "{\"$contains\":[{\"n\":1}]}|[{\"n\":0},{\"n\":1}]"
            })
    void matches(String pattern, String actual) throws JsonProcessingException {
        assertTrue(
                JsonPattern.mismatches(Json.parse(pattern), Json.parse(actual)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}|{\"a\":\"1\"}",
                "{\"a\":1}|{\"a\":1.0}",
                "{\"a\":1}|{}",
                "{\"a\":\"$any\"}|{}",
                "{\"a\":\"$absent\"}|{\"a\":null}",
                "\"~^b\"|\"ab\"",
                "[1]|[1,2]",
                "[]|{}",
                "{\"$exactly\":{}}|{\"x\":1}",
                "{\"$size\":2}|[1]",
                "{\"$contains\":[3]}|[1,2]"
            })
    void doesNotMatch(String pattern, String actual) throws JsonProcessingException {
        assertFalse(
                JsonPattern.mismatches(Json.parse(pattern), Json.parse(actual)).isEmpty());
    }

    @Test
    void saysWhere() throws JsonProcessingException {
        assertEquals(
                "[/a/1 should be 2 but is 3]",
                JsonPattern.mismatches(Json.parse("{\"a\":[1,2]}"), Json.parse("{\"a\":[1,3]}"))
                        .toString());
    }
}
