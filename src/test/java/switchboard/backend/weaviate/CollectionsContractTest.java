package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.ToolResult;

/** {@code weaviate-collections-get-config} and {@code weaviate-collections-create}. */
class CollectionsContractTest extends Suite {
    private static final String CONFIG = "weaviate-collections-get-config";
    private static final String CREATE = "weaviate-collections-create";

    @Override
    void fixtures() {
        engine.collection("Zebra", TestEngine.properties("title:text"));
        engine.collection("Article", TestEngine.properties("title:text", "year:int"));
        engine.collection("Minimal", "");
    }

    @Test
    void oneCollectionComesAsAnArrayOfOne() {
        JsonNode collections = ok(CONFIG, "{\"collection_name\":\"%Article%\"}").path("collections");
        assertEquals(List.of(engine.name("Article")), each(collections, "class"));
        assertEquals(List.of("title", "year"), each(collections.path(0).path("properties"), "name"));
    }

    @Test
    void firstLetterMayBeLowerCase() {
        String lower = WeaviateIdentifiers.uncapitalised(engine.name("Article"));
        assertEquals(
                List.of(engine.name("Article")),
                each(ok(CONFIG, "{\"collection_name\":\"" + lower + "\"}").path("collections"), "class"));
    }

    @Test
    void unknownCollectionIsNotFound() {
        fails("NOT_FOUND", CONFIG, "{\"collection_name\":\"%Nope%\"}", "collection \"%Nope%\" not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"collection_name\":\"\"}", "{\"collection_name\":null}"})
    void allCollectionsComeSortedByName(String arguments) {
        List<String> names = each(ok(CONFIG, arguments).path("collections"), "class");
        assertEquals(names.stream().sorted().toList(), names);
        assertTrue(names.containsAll(List.of(engine.name("Article"), engine.name("Minimal"), engine.name("Zebra"))));
    }

    @Test
    void listShowsOnlyWhatTheTeamMaySee() {
        asTeam(List.of("%Art%*"), Map.of());
        assertEquals(List.of(engine.name("Article")), each(ok(CONFIG, "{}").path("collections"), "class"));
        fails("DENIED", CONFIG, "{\"collection_name\":\"%Zebra%\"}", "not among those that this team may use");
        fails("DENIED", CONFIG, "{\"collection_name\":\"%Nope%\"}", "not among those");
    }

    @Test
    void nameIsAnsweredAsStored() {
        String name = engine.fresh("LowerCase");
        String lower = WeaviateIdentifiers.uncapitalised(name);
        assertEquals(
                name,
                ok(
                                CREATE,
                                "{\"collection_name\":\"" + lower
                                        + "\",\"vectorConfig\":{\"default\":{\"vectorizer\":\"none\"}}}")
                        .path("collection_name")
                        .asText());
        fails("CONFLICT", CREATE, "{\"collection_name\":\"" + lower + "\"}", "already exists");
    }

    @Test
    void minimalCollectionNeedsANameOnly() {
        engine.fresh("OnlyName");
        ok(CREATE, "{\"collection_name\":\"%OnlyName%\"}");
        JsonNode made = ok(CONFIG, "{\"collection_name\":\"%OnlyName%\"}")
                .path("collections")
                .path(0);
        assertEquals(engine.name("OnlyName"), made.path("class").asText());
    }

    @Test
    void everythingTheSeedDocumentsArrives() {
        engine.fresh("Everything");
        ok(CREATE, """
                {"collection_name":"%Everything%","description":"all of it",
                 "properties":[
                  {"name":"title","dataType":["text"],"description":"t","indexFilterable":true,"indexSearchable":true,"tokenization":"word"},
                  {"name":"count","dataType":"int","indexFilterable":false},{"name":"rating","dataType":["number"]},
                  {"name":"ok","dataType":["boolean"]},{"name":"when","dataType":["date"]},{"name":"tags","dataType":["text[]"]}],
                 "invertedIndexConfig":{"bm25":{"b":0.6,"k1":1.5},"stopwords":{"preset":"en"},"indexTimestamps":true,"indexNullState":true,"indexPropertyLength":true},
                 "vectorConfig":{"one":{"vectorizer":"none","vectorIndexType":"hnsw"},"two":{"vectorizer":{"none":{}},"vectorIndexType":"flat"}},
                 "multiTenancyConfig":{"enabled":true,"autoTenantCreation":true,"autoTenantActivation":false}}
                """);
        JsonNode made = ok(CONFIG, "{\"collection_name\":\"%Everything%\"}")
                .path("collections")
                .path(0);
        assertEquals("all of it", made.path("description").asText());
        assertEquals(List.of("title", "count", "rating", "ok", "when", "tags"), each(made.path("properties"), "name"));
        assertEquals(
                "int", made.path("properties").path(1).path("dataType").path(0).asText());
        assertFalse(made.path("properties").path(1).path("indexFilterable").asBoolean());
        assertEquals(
                0.6, made.path("invertedIndexConfig").path("bm25").path("b").asDouble(), 1e-6);
        assertTrue(made.path("invertedIndexConfig").path("indexNullState").asBoolean());
        assertTrue(made.path("vectorConfig").path("one").path("vectorizer").has("none"));
        assertTrue(made.path("vectorConfig").path("two").path("vectorizer").has("none"));
        assertTrue(made.path("multiTenancyConfig").path("autoTenantCreation").asBoolean());
    }

    @Test
    void crossReferenceLeadsToAnExistingCollection() {
        engine.fresh("Book");
        ok(CREATE, """
                {"collection_name":"%Book%","properties":[{"name":"title","dataType":["text"]},{"name":"about","dataType":["%Article%"]}]}
                """);
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%Orphan%","properties":[{"name":"x","dataType":["%NoSuchClass%"]}]}
                """, "nonexistent class");
    }

    @Test
    void otherTeamsCollectionsCanNotBeReferredTo() {
        asTeam(List.of("%Mine%*"), Map.of());
        fails("DENIED", CREATE, """
                {"collection_name":"%MineBook%","properties":[{"name":"x","dataType":["%Article%"]}]}
                """);
    }

    @Test
    void nameThatResemblesAnotherTeamsDoesNotNameIt() {
        String similar = engine.name("Minimal").replace("Minimal", "MiniMAL");
        gateway.as(caller -> caller);
        asTeam(List.of(similar), Map.of());
        ToolResult result = fails("CONFLICT", CREATE, "{\"collection_name\":\"" + similar + "\"}", "already exists");
        assertFalse(result.toString().contains(engine.name("Minimal")), result::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bad-Name x",
                "1st",
                "../keys",
                "A%2e",
                "A/../B",
                "Ä",
                "a\\u0000b",
                "A\\nB",
                "{Get{A}}",
                "\\ud83d\\ude42",
                "\\ud83d",
                "*"
            })
    void nameThatIsNoneIsRefusedHere(String name) {
        engine.stub().ifPresent(StubWeaviate::forget);
        for (String tool :
                List.of(CONFIG, CREATE, "weaviate-tenants-list", "weaviate-objects-get", "weaviate-objects-delete")) {
            fails("INVALID_ARGUMENT", tool, "{\"collection_name\":\"" + name + "\"}", "is not a valid collection name");
        }
        engine.stub().ifPresent(stub -> assertEquals(List.of(), stub.seen()));
    }

    @Test
    void longNameIsAnArgumentError() {
        String huge = "A".repeat(1 << 20);
        fails("INVALID_ARGUMENT", CONFIG, "{\"collection_name\":\"" + huge + "\"}", "collection_name", "at most 256");
        fails("INVALID_ARGUMENT", CONFIG, "{\"collection_name\":\"" + "A".repeat(256) + "\"}", "at most 255");
    }

    @Test
    void mistakesInADefinitionAreExplained() {
        fails("INVALID_ARGUMENT", CREATE, "{\"description\":\"no name\"}", "collection_name");
        fails("INVALID_ARGUMENT", CREATE, "{\"collection_name\":\"\"}", "collection_name");
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%X%","properties":[{"name":"bad-name","dataType":["text"]}]}""", "valid property name");
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%X%","properties":[{"name":"a","dataType":["no-such-type"]}]}""", "no-such-type");
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%X%","vectorConfig":{"default":{"vectorizer":"text2vec-nope"}}}""", "no module with name");
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%X%","vectorConfig":{"default":{"vectorIndexType":"hnsw"}}}""", "needs a vectorizer");
        fails("INVALID_ARGUMENT", CREATE, """
                {"collection_name":"%X%","vectorConfig":{"a b":{"vectorizer":"none"}}}""", "valid vector name");
    }

    @Test
    void boundTeamCreatesCollectionsWithTenantsOnly() {
        engine.fresh("Shared");
        asTeam(List.of("*"), Map.of("tenant", "tenant-a"));
        fails("DENIED", CREATE, "{\"collection_name\":\"%Shared%\"}", "multiTenancyConfig");
        ok(CREATE, "{\"collection_name\":\"%Shared%\",\"multiTenancyConfig\":{\"enabled\":true}}");
    }
}
