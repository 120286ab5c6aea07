package switchboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.call.SourceQuery.Comparison;
import switchboard.call.SourceQuery.Condition;

class DocumentFieldsTest {
    private static DocumentFields of(String json) {
        try {
            return new DocumentFields((ObjectNode) Json.parse(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void titleTextAndAddressAreFoundByTheirUsualNames() {
        DocumentFields fields =
                of("{\"name\": \"N\", \"title\": \"T\", \"body\": \"B\", \"link\": \"https://x\", \"n\": 1}");
        assertEquals("T", fields.title());
        assertEquals("B", fields.text());
        assertEquals("https://x", fields.url());
        assertEquals("T\n\nB", fields.whole());
        assertEquals(
                "{\"name\":\"N\",\"link\":\"https://x\",\"n\":1}",
                fields.others().toString());
    }

    @Test
    void withoutAUsualNameTheLongestTextIsTaken() {
        DocumentFields fields = of("{\"a\": \"short\", \"b\": \"rather longer\", \"c\": 12345678901234567890}");
        assertEquals("rather longer", fields.text());
        assertEquals("", fields.title());
        assertNull(fields.url());
    }

    @Test
    void aDocumentWithoutTextsIsEmpty() {
        assertEquals("", of("{\"n\": 1, \"title\": null}").whole());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            author | EQUAL     | "John"     | false
            author | EQUAL     | "John Doe" | true
            tags   | EQUAL     | "b"        | true
            tags   | EQUAL     | "B"        | false
            year   | AT_LEAST  | 2020       | true
            year   | MORE_THAN | 2020       | false
            year   | LESS_THAN | 2020.5     | true
            year   | EQUAL     | "2020"     | false
            open   | EQUAL     | true       | true
            none   | EQUAL     | 1          | false
            date   | AT_MOST   | "2021"     | true
            """)
    void conditionsAreExact(String field, Comparison comparison, String value, boolean holds)
            throws JsonProcessingException {
        DocumentFields fields =
                of("{\"author\": \"John Doe\", \"tags\": [\"a\", \"b\"], \"year\": 2020, \"open\": true,"
                        + " \"date\": \"2020-05-05\"}");
        assertEquals(holds, fields.meets(List.of(new Condition(field, comparison, Json.parse(value)))));
    }
}
