package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/** How a filter is written for REST and for GraphQL. */
class WhereWritingTest {
    private static WhereFilter read(String filter) throws JsonProcessingException {
        return read(filter, TenantScope.of(Caller.unrestricted()));
    }

    private static WhereFilter read(String filter, TenantScope scope) throws JsonProcessingException {
        return WhereReader.read("where", (ObjectNode) Json.parse(filter), Optional.empty(), scope);
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

    private static String across(String operator) {
        return "{\"operator\":\"" + operator + "\",\"operands\":[{\"path\":[\"by\",\"Author\",\"name\"],"
                + "\"operator\":\"Equal\",\"valueText\":\"x\"}]}";
    }

    /** A filter may ask for what it does not show, so that its answer tells it. */
    @Test
    void aFilterReachesNoCollectionThatTheTeamMayNotUse() throws JsonProcessingException {
        TenantScope authors = new TenantScope(ResourceScope.anyOf(List.of("Author")), null);
        assertEquals(
                1,
                ((WhereFilter.Combination) read(across("Not"), authors))
                        .operands()
                        .size());
        for (TenantScope other : List.of(
                new TenantScope(ResourceScope.anyOf(List.of("Article")), null),
                new TenantScope(ResourceScope.anyOf(List.of("Author")), "tenant-a"))) {
            ToolException refused = assertThrows(ToolException.class, () -> read(across("And"), other));
            assertEquals(FailureKind.DENIED, refused.failed().kind());
        }
    }

    @Test
    void notIsOfOneFilterAndTheOthersOfAtLeastOne() {
        String one = "{\"path\":[\"a\"],\"operator\":\"Equal\",\"valueInt\":1}";
        for (String operands : List.of(
                "\"Not\",\"operands\":[" + one + "," + one + "]",
                "\"Not\",\"operands\":[]",
                "\"And\",\"operands\":[]",
                "\"Or\"",
                "\"Or\",\"operands\":[" + one + "],\"path\":[\"a\"]")) {
            ToolException refused =
                    assertThrows(ToolException.class, () -> read("{\"operator\":" + operands + "}"), operands);
            assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind(), operands);
        }
    }

    @Test
    void aBoundTeamFollowsReferencesToCollectionsWithTenantsOnly() {
        ResourceScope authors = ResourceScope.anyOf(List.of("Author"));
        CollectionSchema shared = schema("Author", false);
        CollectionSchema parted = schema("Author", true);
        assertTrue(new TenantScope(authors, null).mayFollow(shared));
        assertTrue(new TenantScope(authors, "tenant-a").mayFollow(parted));
        assertFalse(new TenantScope(authors, "tenant-a").mayFollow(shared));
        assertFalse(new TenantScope(authors, "tenant-a").mayFollow(schema("Article", true)));
        assertFalse(new TenantScope(authors, null).mayFollow(schema("Article", false)));
    }

    private static CollectionSchema schema(String name, boolean multiTenant) {
        return new CollectionSchema(name, multiTenant, Map.of(), "none", Map.of(), false);
    }
}
