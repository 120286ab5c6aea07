package switchboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;

class FieldGuesserTest {
    private static FieldGuesser of(String json) {
        try {
            return new FieldGuesser((ObjectNode) Json.parse(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void titleTextAndAddressAreFoundByTheirUsualNames() {
        FieldGuesser fields =
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
        FieldGuesser fields = of("{\"a\": \"short\", \"b\": \"rather longer\", \"c\": 12345678901234567890}");
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
            owner.name   | EQUAL     | "Ann"     | true
            owner.name   | EQUAL     | "Bob"     | false
            owner.x.y    | EQUAL     | 1         | true
            owner.x      | EQUAL     | 1         | false
            list.a       | EQUAL     | 2         | true
            list.a       | MORE_THAN | 2         | false
            list         | EQUAL     | 2         | false
            owner.name.z | EQUAL     | "Ann"     | false
            .name        | EQUAL     | "Ann"     | false
            """)
    void conditionsAreExact(String field, Operator comparison, String value, boolean holds)
            throws JsonProcessingException {
        FieldGuesser fields = of("{\"author\": \"John Doe\", \"tags\": [\"a\", \"b\"], \"year\": 2020, \"open\": true,"
                + " \"date\": \"2020-05-05\", \"owner\": {\"name\": \"Ann\", \"x.y\": 1},"
                + " \"list\": [{\"a\": 1}, {\"a\": [2]}, 3]}");
        assertEquals(holds, fields.meets(List.of(new Condition(field, comparison, Json.parse(value)))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
                "\\x89504e470d0a1a0a0000000d494844520000000100000001080600000089504e470d0a1a0a",
                "00000000-0000-4000-8000-000000000001",
                "2025-01-31T12:00:00Z"
            })
    void bytesIdsAndTimesAreNoText(String value) {
        ObjectNode document = Json.object().put("note", "A red barn").put("content2", value);
        assertEquals("A red barn", new FieldGuesser(document).text());
    }

    @Test
    void bytesInAFieldThatIsCalledLikeATextAreNoText() {
        ObjectNode document = Json.object()
                .put("content", "0123456789abcdefABCDEF".repeat(10))
                .put("note", "A red barn");
        assertEquals("A red barn", new FieldGuesser(document).text());
    }

    @Test
    void sixtyFourCharactersAreBytesAndFewerAreAChecksum() {
        for (String digits : new String[] {"0123456789abcdef", "aB3dEfGh1JkLmN0p"}) {
            String checksum = digits.repeat(4).substring(1);
            assertEquals(checksum, new FieldGuesser(Json.object().put("note", checksum)).text());
            assertEquals("", new FieldGuesser(Json.object().put("note", digits.repeat(4))).text());
        }
    }

    @Test
    void theTitleIsNotSaidTwiceAndDoesNotStandAlone() {
        assertEquals(
                "Herons wade",
                of("{\"title\": \"Herons\", \"text\": \"Herons wade\"}").whole());
        assertEquals("wade", of("{\"text\": \"wade\"}").whole());
    }

    @Test
    void longTextsWithoutSpacesAreTexts() {
        for (String text :
                new String[] {"漢字".repeat(100), "x".repeat(500), "https://example.org/" + "a1B".repeat(40)}) {
            assertEquals(text, new FieldGuesser(Json.object().put("note", text)).text());
        }
    }

    @Test
    void declaredFieldsComeFirst() {
        ObjectNode document = Json.object()
                .put("text", "usual")
                .put("b", "declared")
                .put("c", "headline")
                .put("d", "where");
        FieldGuesser fields = new FieldGuesser(document, new NamedFields("b", "c", "d"));
        assertEquals("declared", fields.text());
        assertEquals("headline", fields.title());
        assertEquals("where", fields.url());
        assertEquals("usual", new FieldGuesser(document, new NamedFields("nosuch", null, null)).text());
    }

    /** A name has as many readings as it has dots, and few of them are in a document. */
    @Test
    @Timeout(20)
    void aNameOfManyPartsTakesNoLongTime() {
        String name = "a.".repeat(90) + "a";
        Condition condition = new Condition(name, Operator.EQUAL, Json.object().textNode("x"));
        ObjectNode deep = Json.object();
        ObjectNode inner = deep;
        for (int i = 0; i < 60; i++) {
            inner = inner.putObject("a");
        }
        assertFalse(new FieldGuesser(Json.object()).meets(List.of(condition)));
        assertFalse(new FieldGuesser(deep).meets(List.of(condition)));
    }
}
