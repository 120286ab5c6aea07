package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code weaviate-objects-upsert}. */
class UpsertContractTest extends Suite {
    private static final String UPSERT = "weaviate-objects-upsert";
    private static final String GET = "weaviate-objects-get";
    private static final String ID = TestEngine.id(4, 1);

    @Override
    void fixtures() {
        engine.articlesOfTenants();
    }

    @BeforeEach
    void empty() {
        engine.collection(
                "UpArticle", TestEngine.properties("title:text", "year:int", "ok:boolean", "when:date", "tags:text[]"));
    }

    private JsonNode upsert(String objects) {
        return ok(UPSERT, "{\"collection_name\":\"%UpArticle%\",\"objects\":" + objects + "}");
    }

    private JsonNode stored(String id) {
        return ok(GET, "{\"collection_name\":\"%UpArticle%\",\"include_vector\":true,\"uuids\":[\"" + id + "\"]}")
                .path("objects")
                .path(0);
    }

    @Test
    void insertedObjectGetsAnId() {
        JsonNode results = upsert("[{\"properties\":{\"title\":\"one\"}}]").path("results");
        assertEquals(1, results.size());
        String id = results.path(0).path("id").asText();
        assertTrue(WeaviateIdentifiers.uuid(id).isPresent(), id);
        assertEquals("one", stored(id).path("properties").path("title").asText());
    }

    @Test
    void oneBadObjectDoesNotFailTheOthersAndOrderIsKept() {
        JsonNode results = upsert(
                        "[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"U4\"}},{\"properties\":{\"title\":5}},"
                                + "{\"uuid\":\"" + TestEngine.id(4, 6) + "\",\"properties\":{\"title\":\"U6\"}}]")
                .path("results");
        assertEquals(ID, results.path(0).path("id").asText());
        assertTrue(results.path(1).path("error").asText().contains("title"), results::toString);
        assertFalse(results.path(1).has("id"));
        assertEquals(TestEngine.id(4, 6), results.path(2).path("id").asText());
    }

    @Test
    void malformedUuidFailsItsObjectOnly() {
        JsonNode results = upsert("[{\"uuid\":\"not-a-uuid\",\"properties\":{\"title\":\"a\"}},{\"uuid\":\"" + ID
                        + "\",\"properties\":{\"title\":\"b\"}}]")
                .path("results");
        assertTrue(results.path(0).path("error").asText().contains("uuid"), results::toString);
        assertEquals(ID, results.path(1).path("id").asText());
    }

    @Test
    void existingObjectIsReplacedNotMerged() {
        upsert("[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"old\",\"year\":2001}}]");
        upsert("[{\"uuid\":\"" + ID.toUpperCase(java.util.Locale.ROOT) + "\",\"properties\":{\"title\":\"new\"}}]");
        JsonNode properties = stored(ID).path("properties");
        assertEquals("new", properties.path("title").asText());
        assertFalse(properties.has("year"), properties::toString);
    }

    @Test
    void laterOfTwoWithTheSameUuidStays() {
        JsonNode results = upsert("[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"first\"}},{\"uuid\":\"" + ID
                        + "\",\"properties\":{\"title\":\"last\"}}]")
                .path("results");
        assertEquals(List.of(ID, ID), each(results, "id"));
        assertEquals("last", stored(ID).path("properties").path("title").asText());
    }

    @Test
    void batchesAreSplitAndResultsStayInOrder() {
        engine.stub().ifPresent(StubWeaviate::forget);
        String objects = IntStream.range(0, 450)
                .mapToObj(i -> "{\"uuid\":\"" + TestEngine.id(7, i) + "\",\"properties\":{\"title\":"
                        + (i % 100 == 7 ? "5" : "\"t" + i + "\"") + "}}")
                .collect(Collectors.joining(",", "[", "]"));
        JsonNode results = upsert(objects).path("results");
        assertEquals(450, results.size());
        for (int i = 0; i < 450; i++) {
            assertEquals(i % 100 == 7, results.path(i).has("error"), results.path(i)::toString);
            if (i % 100 != 7) {
                assertEquals(TestEngine.id(7, i), results.path(i).path("id").asText());
            }
        }
        engine.stub()
                .ifPresent(stub -> assertEquals(
                        3,
                        stub.seen().stream()
                                .filter(seen -> seen.path().startsWith("/v1/batch"))
                                .count()));
    }

    @Test
    void oddTextSurvives() {
        String odd = "日本語 ñ 🙂 x\\\" }{ \\n \\\\ <b>";
        upsert("[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"" + odd + "\",\"tags\":[\"a\",\"🙂\"]}}]");
        assertEquals(
                "日本語 ñ 🙂 x\" }{ \n \\ <b>",
                stored(ID).path("properties").path("title").asText());
    }

    @Test
    void halfASurrogatePairFailsItsObjectOnly() {
        JsonNode results = upsert("[{\"properties\":{\"title\":\"\\ud83d\"}},{\"properties\":{\"title\":\"fine\"}}]")
                .path("results");
        assertTrue(results.path(0).path("error").asText().contains("surrogate"), results::toString);
        assertTrue(results.path(1).has("id"));
    }

    /** Which of a batch comes first decides how long the vectors of a collection are, so that is stored before. */
    @Test
    void vectorsAreStoredAndMistakesInThemAreTheirObjectsOwn() {
        upsert("[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"v\"},\"vectors\":{\"default\":[0.5,0.25,1]}}]");
        JsonNode results = upsert("[{\"properties\":{\"title\":\"w\"},\"vectors\":{\"default\":[0.1,0.2]}},"
                        + "{\"properties\":{\"title\":\"x\"},\"vectors\":{\"default\":[\"a\",1]}},"
                        + "{\"properties\":{\"title\":\"y\"},\"vectors\":{\"default\":[1e300,1,1]}},"
                        + "{\"properties\":{\"title\":\"z\"},\"vectors\":{}}]")
                .path("results");
        assertTrue(results.path(0).path("error").asText().contains("vector"), results::toString);
        assertTrue(results.path(1).path("error").asText().contains("numbers"), results::toString);
        assertTrue(results.path(2).path("error").asText().contains("numbers"), results::toString);
        assertTrue(results.path(3).has("id"), results::toString);
        assertEquals(3, stored(ID).path("vector").size());
    }

    @Test
    void namedVectorMustBeConfigured() {
        engine.collection(
                "NamedArticle",
                "\"vectorConfig\":{\"default\":{\"vectorizer\":{\"none\":{}}}}," + TestEngine.properties("title:text"));
        JsonNode results = ok(
                        UPSERT,
                        "{\"collection_name\":\"%NamedArticle%\",\"objects\":[{\"properties\":{\"title\":\"a\"},\"vectors\":{\"default\":[1,0,0]}},"
                                + "{\"properties\":{\"title\":\"b\"},\"vectors\":{\"nope\":[1,0,0]}}]}")
                .path("results");
        assertTrue(results.path(0).has("id"), results::toString);
        assertTrue(
                results.path(1).path("error").asText().contains("does not have configuration for vector nope"),
                results::toString);
    }

    @Test
    void emptyListIsAnArgumentError() {
        fails(
                "INVALID_ARGUMENT",
                UPSERT,
                "{\"collection_name\":\"%UpArticle%\",\"objects\":[]}",
                "objects",
                "at least 1");
        fails("INVALID_ARGUMENT", UPSERT, "{\"collection_name\":\"%UpArticle%\"}", "objects");
        fails(
                "INVALID_ARGUMENT",
                UPSERT,
                "{\"collection_name\":\"%UpArticle%\",\"objects\":[{\"uuid\":\"" + ID + "\"}]}",
                "properties");
    }

    @Test
    void whatAutoSchemaCreatesIsSaid() {
        JsonNode property = upsert("[{\"properties\":{\"title\":\"t\",\"brandNew\":\"x\"}}]");
        assertEquals(List.of("brandNew"), each(property.path("created_properties")));
        assertFalse(upsert("[{\"properties\":{\"brandNew\":\"y\"}}]").has("created_properties"));
        engine.fresh("AutoMade");
        assertTrue(ok(UPSERT, "{\"collection_name\":\"%AutoMade%\",\"objects\":[{\"properties\":{\"title\":\"x\"}}]}")
                .path("created_collection")
                .asBoolean());
    }

    @Test
    void tenantsAreKeptApart() {
        String object = ",\"objects\":[{\"uuid\":\"" + ID + "\",\"properties\":{\"title\":\"mine\"}}]}";
        assertEquals(
                List.of(ID),
                each(
                        ok(UPSERT, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"" + object)
                                .path("results"),
                        "id"));
        assertTrue(ok(UPSERT, "{\"collection_name\":\"%MtArticle%\"" + object)
                .path("results")
                .path(0)
                .path("error")
                .asText()
                .contains("tenant"));
        assertTrue(ok(UPSERT, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"nope\"" + object)
                .path("results")
                .path(0)
                .path("error")
                .asText()
                .contains("tenant not found"));
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        ok(UPSERT, "{\"collection_name\":\"%MtArticle%\"" + object);
        assertEquals(
                "tenant-b",
                ok(GET, "{\"collection_name\":\"%MtArticle%\",\"uuids\":[\"" + ID + "\"]}")
                        .path("objects")
                        .path(0)
                        .path("tenant")
                        .asText());
        fails("DENIED", UPSERT, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"" + object, "bound");
        fails("DENIED", UPSERT, "{\"collection_name\":\"%UpArticle%\"" + object, "no tenants");
        fails("NOT_FOUND", UPSERT, "{\"collection_name\":\"%NotThere%\"" + object, "not found");
    }
}
