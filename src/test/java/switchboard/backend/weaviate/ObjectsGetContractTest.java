package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.testing.ToolResult;

/** {@code weaviate-objects-get}. */
class ObjectsGetContractTest extends Suite {
    private static final String GET = "weaviate-objects-get";
    private static final String NIL = "00000000-0000-0000-0000-000000000000";
    private static final String ONE = TestEngine.id(1, 1);
    private static final String TWO = TestEngine.id(1, 2);
    private static final String THREE = TestEngine.id(1, 3);

    @Override
    void fixtures() {
        engine.articlesToGet();
        engine.articlesOfTenants();
        engine.articlesWithTwoVectors();
        engine.collection("Author", TestEngine.properties("name:text"));
        engine.put("Author", "[{\"id\":\"" + TestEngine.id(5, 1) + "\",\"properties\":{\"name\":\"Ada\"}}]");
        engine.collection(
                "Mixed",
                TestEngine.properties(
                        "title:text",
                        "by:" + engine.name("Author"),
                        "place:geoCoordinates",
                        "raw:blob",
                        "tags:text[]"));
        engine.put(
                "Mixed",
                "[{\"id\":\"" + TestEngine.id(5, 2) + "\",\"properties\":{\"title\":\"mixed bag\",\"by\":"
                        + "[{\"beacon\":\"weaviate://localhost/" + engine.name("Author") + "/" + TestEngine.id(5, 1)
                        + "\"}],\"place\":{\"latitude\":52.5,\"longitude\":13.4},\"raw\":\"aGVsbG8=\",\"tags\":[\"a\",\"b\"]}}]");
    }

    private JsonNode get(String more) {
        return ok(GET, "{\"collection_name\":\"%GetArticle%\"" + (more.isEmpty() ? "" : "," + more) + "}");
    }

    @Test
    void pageHas25WithoutALimit() {
        JsonNode objects = get("").path("objects");
        assertEquals(25, objects.size());
        JsonNode first = objects.path(0);
        assertEquals(engine.name("GetArticle"), first.path("class").asText());
        assertEquals("Article One", first.path("properties").path("title").asText());
        assertTrue(first.path("creationTimeUnix").isIntegralNumber());
        assertFalse(first.has("vector"));
        assertFalse(first.has("vectorWeights"));
    }

    @Test
    void pagesDoNotOverlapAndEndEmpty() {
        List<String> ids = new ArrayList<>(each(get("\"limit\":20").path("objects"), "id"));
        ids.addAll(each(get("\"limit\":20,\"offset\":20").path("objects"), "id"));
        assertEquals(35, ids.size());
        assertEquals(35, new HashSet<>(ids).size());
        assertEquals(0, get("\"offset\":100").path("objects").size());
        assertEquals(0, get("\"limit\":0").path("objects").size());
    }

    @Test
    void cursorReachesEveryObject() {
        List<String> ids = new ArrayList<>();
        String after = NIL;
        while (!after.isEmpty()) {
            JsonNode page = get("\"limit\":15,\"after\":\"" + after + "\"");
            ids.addAll(each(page.path("objects"), "id"));
            after = page.path("next").asText();
        }
        assertEquals(35, new HashSet<>(ids).size());
        fails(
                "INVALID_ARGUMENT",
                GET,
                "{\"collection_name\":\"%GetArticle%\",\"after\":\"" + NIL + "\",\"offset\":1}",
                "can't be combined");
        fails("INVALID_ARGUMENT", GET, "{\"collection_name\":\"%GetArticle%\",\"after\":\"x\"}", "must be a UUID");
    }

    @Test
    void uuidsComeInTheOrderAskedAndMissingOnesAreNamed() {
        JsonNode answer = get("\"uuids\":[\"" + THREE + "\",\"" + NIL + "\",\"" + ONE + "\"]");
        assertEquals(List.of("Article Three", "Article One"), each(answer.path("objects"), "properties", "title"));
        assertEquals(List.of(NIL), each(answer.path("missing")));
        assertFalse(answer.has("errors"));
    }

    @Test
    void manyUuidsComeInTheOrderAsked() {
        List<String> wanted = new ArrayList<>();
        for (int i = 30; i >= 1; i--) {
            wanted.add(TestEngine.id(2, i));
        }
        wanted.add(TestEngine.id(2, 999));
        JsonNode answer = get("\"uuids\":[\"" + String.join("\",\"", wanted) + "\"]");
        assertEquals(wanted.subList(0, 30), each(answer.path("objects"), "id"));
        assertEquals(List.of(TestEngine.id(2, 999)), each(answer.path("missing")));
    }

    @Test
    void objectIsTheSameLookedUpAloneOrAmongOthers() {
        String metadata = ",\"include_vector\":true";
        JsonNode bulk = get("\"uuids\":[\"" + ONE + "\",\"" + TWO + "\",\"" + THREE + "\"]" + metadata);
        JsonNode alone = get("\"uuids\":[\"" + ONE + "\"]" + metadata);
        JsonNode filler = get("\"uuids\":[\"" + TestEngine.id(2, 1) + "\"]" + metadata);
        JsonNode fillers =
                get("\"uuids\":[\"" + TestEngine.id(2, 1) + "\",\"" + TWO + "\",\"" + NIL + "\"]" + metadata);
        assertEquals(
                alone.path("objects").path(0).path("properties"),
                bulk.path("objects").path(0).path("properties"));
        assertEquals(
                keys(alone.path("objects").path(0)), keys(bulk.path("objects").path(0)));
        assertEquals(
                alone.path("objects").path(0).path("creationTimeUnix").asLong(),
                bulk.path("objects").path(0).path("creationTimeUnix").asLong());
        assertEquals(
                keys(filler.path("objects").path(0)),
                keys(fillers.path("objects").path(0)));
    }

    private static List<String> keys(JsonNode object) {
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        return keys.stream().sorted().toList();
    }

    @Test
    void malformedUuidIsAnErrorOfItsOwn() {
        JsonNode answer = get("\"uuids\":[\"not-a-uuid\",\"" + ONE + "\",\"../x\"]");
        assertEquals(List.of(ONE), each(answer.path("objects"), "id"));
        assertEquals(List.of("not-a-uuid", "../x"), each(answer.path("errors"), "uuid"));
        assertFalse(answer.has("missing"));
    }

    @Test
    void upperCaseUuidAndRepeatedUuidAreFine() {
        String upper = TestEngine.id(1, 1).replace("4000", "4000").toUpperCase(java.util.Locale.ROOT);
        JsonNode answer = get("\"uuids\":[\"" + upper + "\",\"" + ONE + "\"]");
        assertEquals(List.of(ONE, ONE), each(answer.path("objects"), "id"));
    }

    @Test
    void onlyUnknownUuidsIsNoError() {
        JsonNode answer = get("\"uuids\":[\"" + NIL + "\"]");
        assertEquals(0, answer.path("objects").size());
        assertEquals(List.of(NIL), each(answer.path("missing")));
    }

    @Test
    void propertiesAndMetadataAreChosen() {
        JsonNode page = get(
                "\"limit\":2,\"return_properties\":[\"title\",\"nope\"],\"return_metadata\":[\"ID\",\"lastUpdateTimeUnix\"]");
        JsonNode first = page.path("objects").path(0);
        assertEquals(List.of("title"), keys(first.path("properties")));
        assertTrue(first.has("lastUpdateTimeUnix"));
        assertFalse(first.has("creationTimeUnix"));
        assertEquals(List.of("nope"), each(page.path("unknown_properties")));
        fails(
                "INVALID_ARGUMENT",
                GET,
                "{\"collection_name\":\"%GetArticle%\",\"return_metadata\":[\"score\"]}",
                "return_metadata");
    }

    @Test
    void vectorsComeWhenAskedFor() {
        JsonNode legacy =
                get("\"limit\":1,\"include_vector\":true").path("objects").path(0);
        assertEquals(3, legacy.path("vector").size());
        JsonNode asMetadata = get("\"limit\":1,\"return_metadata\":[\"vector\"]")
                .path("objects")
                .path(0);
        assertEquals(3, asMetadata.path("vector").size());
        JsonNode named = ok(GET, "{\"collection_name\":\"%TwoVec%\",\"limit\":1,\"include_vector\":true}")
                .path("objects")
                .path(0);
        assertEquals(List.of("body_vec", "title_vec"), keys(named.path("vectors")));
    }

    @Test
    void tenantsAreKeptApart() {
        JsonNode a = ok(GET, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"}");
        assertEquals(3, a.path("objects").size());
        assertEquals("tenant-a", a.path("objects").path(0).path("tenant").asText());
        JsonNode other = ok(
                GET,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-b\",\"uuids\":[\"" + TestEngine.id(0, 1)
                        + "\"]}");
        assertEquals(List.of(TestEngine.id(0, 1)), each(other.path("missing")));
        fails("NOT_FOUND", GET, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"nope\"}", "tenant not found");
        fails("CONFLICT", GET, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-cold\"}", "not active");
        fails("INVALID_ARGUMENT", GET, "{\"collection_name\":\"%MtArticle%\"}", "tenant_name");
        fails(
                "INVALID_ARGUMENT",
                GET,
                "{\"collection_name\":\"%GetArticle%\",\"tenant_name\":\"tenant-a\"}",
                "Leave tenant_name out");
        fails(
                "INVALID_ARGUMENT",
                GET,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"a/../b\"}",
                "valid tenant name");
    }

    @Test
    void lookupsThatAllFailAreAFailure() {
        String uuids = ",\"uuids\":[\"" + ONE + "\",\"" + TWO + "\",\"" + THREE + "\"]}";
        fails(
                "NOT_FOUND",
                GET,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"nope\"" + uuids,
                "tenant not found");
        fails(
                "NOT_FOUND",
                GET,
                "{\"collection_name\":\"%NoSuchClass%\"" + uuids,
                "collection \"%NoSuchClass%\" not found");
    }

    @Test
    void boundTeamWorksInItsOwnTenant() {
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        assertEquals(
                2,
                ok(GET, "{\"collection_name\":\"%MtArticle%\"}").path("objects").size());
        assertEquals(
                2,
                ok(GET, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-b\"}")
                        .path("objects")
                        .size());
        fails("DENIED", GET, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"}", "bound");
        fails("DENIED", GET, "{\"collection_name\":\"%GetArticle%\"}", "has no tenants");
    }

    @Test
    void boundsAreKept() {
        for (String wrong :
                List.of("\"limit\":-1", "\"offset\":-1", "\"limit\":10001", "\"limit\":\"5\"", "\"limit\":2.5")) {
            fails("INVALID_ARGUMENT", GET, "{\"collection_name\":\"%GetArticle%\"," + wrong + "}");
        }
        fails(
                "INVALID_ARGUMENT",
                GET,
                "{\"collection_name\":\"%GetArticle%\",\"limit\":10,\"offset\":9995}",
                "pages further with after");
    }

    @Test
    void referencesKeepTheirTargetButNotTheEnginesAddress() {
        ToolResult result = call(GET, "{\"collection_name\":\"%Mixed%\"}");
        JsonNode properties = result.structured().path("objects").path(0).path("properties");
        assertTrue(properties.path("by").path(0).path("beacon").asText().endsWith(TestEngine.id(5, 1)));
        assertFalse(result.toString().contains("href"), result::toString);
        assertEquals(52.5, properties.path("place").path("latitude").asDouble());
        asTeam(List.of("%Mixed%"), Map.of());
        assertEquals(
                0,
                ok(GET, "{\"collection_name\":\"%Mixed%\"}")
                        .path("objects")
                        .path(0)
                        .path("properties")
                        .path("by")
                        .size());
    }
}
