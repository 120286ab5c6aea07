package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Caller;
import switchboard.call.Json;

/** How a filter is written for REST and for GraphQL. */
class WhereWritingTest {
    private static WhereFilter read(String filter) throws JsonProcessingException {
        return WhereReader.read(
                "where", (ObjectNode) Json.parse(filter), Optional.empty(), TenantScope.of(Caller.unrestricted()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"path":["a"],"operator":"Equal","valueText":"x"} | {operator:Equal,path:["a"],valueText:"x"}
            {"path":["a"],"operator":"Equal","valueString":"x"} | {operator:Equal,path:["a"],valueText:"x"}
            {"path":["a"],"operator":"ContainsAny","valueIntArray":[1,2]} | {operator:ContainsAny,path:["a"],valueInt:[1,2]}
            {"path":["a"],"operator":"ContainsAll","valueText":["x","y"]} | {operator:ContainsAll,path:["a"],valueText:["x","y"]}
            {"path":["a"],"operator":"GreaterThan","valueNumber":1.5} | {operator:GreaterThan,path:["a"],valueNumber:1.5}
            {"path":["a"],"operator":"IsNull","valueBoolean":true} | {operator:IsNull,path:["a"],valueBoolean:true}
            {"path":["g"],"operator":"WithinGeoRange","valueGeoRange":{"geoCoordinates":{"latitude":1,"longitude":2},"distance":{"max":3}}} | {operator:WithinGeoRange,path:["g"],valueGeoRange:{geoCoordinates:{latitude:1,longitude:2},distance:{max:3}}}
            {"operator":"Not","operands":[{"path":["a"],"operator":"Like","valueText":"x*"}]} | {operator:Not,operands:[{operator:Like,path:["a"],valueText:"x*"}]}
            """)
    void literal(String filter, String literal) throws JsonProcessingException {
        assertEquals(literal, read(filter).literal());
    }

    @Test
    void textsInLiteralsKeepTheirUnicodeRawAndCanNotEndThemselves() throws JsonProcessingException {
        assertEquals(
                "{operator:Equal,path:[\"t\"],valueText:\"a\\\"b\\\\c\\n{}} 日本 🙂\"}",
                read("{\"path\":[\"t\"],\"operator\":\"Equal\",\"valueText\":\"a\\\"b\\\\c\\n{}} 日本 🙂\"}")
                        .literal());
    }

    @Test
    void listsAreWrittenByTheirOwnKeyInRestAndNeverAsVariables() throws JsonProcessingException {
        WhereFilter list = read(
                "{\"operator\":\"Or\",\"operands\":[{\"path\":[\"a\"],\"operator\":\"ContainsAny\",\"valueText\":[\"x\"]}]}");
        assertEquals(
                "{\"operator\":\"Or\",\"operands\":[{\"path\":[\"a\"],\"operator\":\"ContainsAny\",\"valueTextArray\":[\"x\"]}]}",
                Json.text(list.rest()));
        assertEquals(Optional.empty(), list.variable());
        WhereFilter plain = read("{\"path\":[\"a\"],\"operator\":\"Equal\",\"valueInt\":3}");
        assertEquals(plain.rest(), plain.variable().orElseThrow());
    }
}
