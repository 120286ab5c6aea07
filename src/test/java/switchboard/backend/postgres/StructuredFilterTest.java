package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** The SQL of each comparison, to the letter; what it finds is tested on a real server. */
class StructuredFilterTest {
    private static final TableInfo TABLE = new TableInfo(
            "public",
            "articles",
            "table",
            null,
            true,
            true,
            List.of("id"),
            List.of(
                    column("year", "integer"),
                    column("na\"me", "text"),
                    column("tags", "text[]"),
                    column("data", "jsonb")),
            List.of(),
            List.of(),
            null,
            null);

    private static TableInfo.Column column(String name, String type) {
        return new TableInfo.Column(name, type, type, true, null, null, null, 0);
    }

    private static StructuredFilter compile(String json) throws JsonProcessingException {
        return StructuredFilter.compile((ObjectNode) Json.parse(json), TABLE, 3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "{'year': 7} | \"articles\".\"year\" = $3::text::integer",
                "{'year': {'eq': 7}} | \"articles\".\"year\" = $3::text::integer",
                "{'year': {'ne': 7}} | \"articles\".\"year\" IS DISTINCT FROM $3::text::integer",
                "{'year': {'gt': 7}} | \"articles\".\"year\" > $3::text::integer",
                "{'year': {'gte': 7}} | \"articles\".\"year\" >= $3::text::integer",
                "{'year': {'lt': 7}} | \"articles\".\"year\" < $3::text::integer",
                "{'year': {'lte': 7}} | \"articles\".\"year\" <= $3::text::integer",
                "{'na\\\"me': {'like': 'a%'}} | \"articles\".\"na\"\"me\" LIKE $3::text::text",
                "{'na\\\"me': {'ilike': 'a%'}} | \"articles\".\"na\"\"me\" ILIKE $3::text::text",
                "{'year': [1, 2]} | \"articles\".\"year\" IN ($3::text::integer, $4::text::integer)",
                "{'year': {'in': [1]}} | \"articles\".\"year\" IN ($3::text::integer)",
                "{'year': []} | false",
                "{'year': {'in': []}} | false",
                "{'year': null} | \"articles\".\"year\" IS NULL",
                "{'year': {'ne': null}} | \"articles\".\"year\" IS NOT NULL",
                "{'year': {'exists': true}} | \"articles\".\"year\" IS NOT NULL",
                "{'year': {'exists': false}} | \"articles\".\"year\" IS NULL",
                "{'year': {'gte': 1, 'lt': 9}} | \"articles\".\"year\" >= $3::text::integer AND \"articles\".\"year\" < $4::text::integer",
                "{'year': [1, null]} | (\"articles\".\"year\" IN ($3::text::integer) OR \"articles\".\"year\" IS NULL)",
                "{'year': [null]} | \"articles\".\"year\" IS NULL",
                "{'year': [1, null], 'na\\\"me': 'a'} | (\"articles\".\"year\" IN ($3::text::integer) OR \"articles\".\"year\" IS NULL) AND \"articles\".\"na\"\"me\" = $4::text::text",
                "{'tags': {'contains': ['a', 'b']}} | \"articles\".\"tags\" @> ARRAY[$3::text::text, $4::text::text]::text[]",
                "{'tags': {'contains_any': ['a']}} | \"articles\".\"tags\" && ARRAY[$3::text::text]::text[]",
                "{'tags': {'contains_any': []}} | \"articles\".\"tags\" && ARRAY[]::text[]",
                "{'data': {'contains': {'a': 1}}} | \"articles\".\"data\" @> $3::text::jsonb",
                "{'data': {'contains_any': [1, 'x']}, 'year': 7} | (\"articles\".\"data\" @> $3::text::jsonb OR \"articles\".\"data\" @> $4::text::jsonb) AND \"articles\".\"year\" = $5::text::integer",
                "{'data': {'contains_any': []}} | false",
                "{'year': 7.0} | \"articles\".\"year\" = $3::text::integer",
                "{'year': {'gt': 7.5}} | \"articles\".\"year\" > $3::text::numeric",
                "{'year': {'lt': 2147483648}} | \"articles\".\"year\" < $3::text::numeric",
                "{'year': {'gte': -2147483648}} | \"articles\".\"year\" >= $3::text::integer",
                "{} | true",
            })
    void eachComparisonIsThisSql(String filter, String sql) throws JsonProcessingException {
        assertEquals(sql, compile(filter.replace('\'', '"')).condition());
    }

    @Test
    void valuesAreBoundInTheirOrder() throws JsonProcessingException {
        assertEquals(
                List.of("1", "2", "9", "x'; DROP"),
                compile("{\"year\": {\"in\": [1, 2], \"lt\": 9}, \"na\\\"me\": \"x'; DROP\"}")
                        .values());
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"nope\": 1}'",
        "'{\"year\": {\"matches\": 1}}'",
        "'{\"year\": {\"eq\": [1]}}'",
        "'{\"year\": {\"in\": 1}}'",
        "'{\"year\": {\"gt\": null}}'",
        "'{\"year\": {\"exists\": 1}}'",
        "'{\"year\": {\"contains\": 1}}'",
        "'{\"tags\": {\"contains\": [null]}}'",
        "'{\"tags\": {\"contains_any\": \"a\"}}'",
        "'{\"tags\": \"a\"}'"
    })
    void whatCanNotBeCompiledIsRefused(String filter) {
        assertThrows(ToolException.class, () -> compile(filter));
    }
}
