package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.database.HostAndPort;

/** Values of rows, as JSON that no reader rounds; addresses of servers. */
class ResultJsonTest {
    private static List<RowPage.Column> columns(String... nameAndType) {
        return Stream.of(nameAndType)
                .map(text -> new RowPage.Column(text.split(" ")[0], text.split(" ")[1]))
                .toList();
    }

    private static String cell(String json, String type) {
        JsonNode cell =
                ResultJson.cells("{\"c\":" + json + "}", columns("c " + type)).getFirst();
        return Json.text(cell);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 | 1",
                "9007199254740992 | 9007199254740992",
                "9007199254740993 | \"9007199254740993\"",
                "-9223372036854775808 | \"-9223372036854775808\"",
                "9223372036854775807 | \"9223372036854775807\"",
                "0.1 | 0.1",
                "1.10 | 1.10",
                "0.30000000000000004 | 0.30000000000000004",
                "0.123456789012345678 | \"0.123456789012345678\"",
                "1e400 | \"1" + "`",
                "true | true",
                "null | null",
                "\"9007199254740993\" | \"9007199254740993\"",
                "[1,9007199254740993,[0.123456789012345678]] | [1,\"9007199254740993\",[\"0.123456789012345678\"]]",
                "{\"a\":{\"b\":9007199254740993}} | {\"a\":{\"b\":\"9007199254740993\"}}"
            })
    void aNumberThatADoubleWouldRoundIsAString(String json, String expected) {
        String actual = cell(json, "jsonb");
        if (json.equals("1e400")) {
            assertTrue(actual.startsWith("\"1000") && actual.length() == 403, actual);
        } else {
            assertEquals(expected, actual);
        }
    }

    @Test
    void aDenseVectorIsAListAndOtherTextsStayTexts() {
        assertEquals("[0.5,-1,2]", cell("\"[0.5,-1,2]\"", "vector"));
        assertEquals("[0.5]", cell("\"[0.5]\"", "halfvec"));
        assertEquals("\"[0.5]\"", cell("\"[0.5]\"", "text"));
        assertEquals("\"{1:0.5}/3\"", cell("\"{1:0.5}/3\"", "sparsevec"));
        assertEquals("\"not [ a vector\"", cell("\"not [ a vector\"", "vector"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}", "{\"b\":1,\"a\":2}", "{\"a\":1,\"c\":2}", "{}"})
    void aRowOfOtherColumnsIsNoticed(String row) {
        assertThrows(ResultJson.ColumnsChanged.class, () -> ResultJson.cells(row, columns("a int", "b int")));
    }

    @Test
    void columnsOfOneNameAreToldApart() {
        assertEquals(
                List.of(1, 2),
                ResultJson.cells("{\"a\":1,\"a\":2}", columns("a int", "a int")).stream()
                        .map(JsonNode::asInt)
                        .toList());
        assertEquals(List.of("a", "a_2", "a_3"), ResultJson.distinct(List.of("a", "a", "a")));
        assertEquals(List.of("a", "a_2", "a_3"), ResultJson.distinct(List.of("a", "a_2", "a")));
        assertEquals(List.of("a", "a_3", "a_2"), ResultJson.distinct(List.of("a", "a", "a_2")));
        assertEquals(List.of(), ResultJson.distinct(List.of()));
    }

    @Test
    void aPageIsObjectsAndAlsoArraysWithTypes() {
        RowPage page = new RowPage(
                columns("a int4", "a text"),
                List.of(List.of(Json.object().numberNode(1), Json.object().textNode("x"))),
                true,
                null);
        assertEquals("[{\"a\":1,\"a_2\":\"x\"}]", Json.text(page.objects()));
        ObjectNode described = Json.object();
        page.describe(described);
        assertEquals(
                "{\"columns\":[{\"name\":\"a\",\"type\":\"int4\"},{\"name\":\"a\",\"type\":\"text\"}],"
                        + "\"rows\":[[1,\"x\"]],\"row_count\":1,\"truncated\":true}",
                Json.text(described));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "db | db:5432",
                "db:1 | db:1",
                "a, b:6432 | a:5432 b:6432",
                "[::1]:7 | [::1]:7",
                "[::1] | [::1]:5432",
                "::1 | [::1]:5432",
                "fe80::1%eth0 | [fe80::1%eth0]:5432",
                "10.0.0.1:80 | 10.0.0.1:80"
            })
    void anAddressHasThePortThatIsUsualUnlessItNamesOne(String text, String addresses) {
        assertEquals(
                List.of(addresses.split(" ")),
                HostAndPort.list(text, 5432).stream().map(HostAndPort::toString).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", "db:", "db:x", "db:123456", ":5432", "[::1", "[::1]x", "a b:c:d"})
    void whatIsNoAddressIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> HostAndPort.list(text, 5432));
    }
}
