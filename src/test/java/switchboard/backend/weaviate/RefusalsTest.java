package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.config.Secret;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/** Recorded refusals: of keys, of rights, of things that a server is set up without; and crashes. */
class RefusalsTest {
    private static final String OBJECT = "00000000-0000-4000-8000-000000000001";
    private StubWeaviate stub;
    private BackendHarness gateway;

    @BeforeEach
    void start() {
        stub = new StubWeaviate();
        gateway = BackendHarness.start(
                new WeaviateModule(),
                new WeaviateSettings(
                        stub.url(),
                        Secret.of("norole-key"),
                        true,
                        new WeaviateSettings.Logs(false, null, null, null),
                        null,
                        Duration.ofSeconds(30),
                        UpstreamSettings.defaults()),
                Path.of("target"));
    }

    @AfterEach
    void stop() {
        gateway.close();
        stub.close();
    }

    @Test
    void keyIsSentAsBearer() {
        gateway.call("weaviate-collections-get-config", "{}");
        assertEquals("Bearer norole-key", stub.seen().getFirst().authorization());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        rbac-norole-schema-one      | weaviate-collections-get-config | {"collection_name":"AuthArticle"} | read_collections
        adminlist-norole-schema-one | weaviate-collections-get-config | {"collection_name":"AuthArticle"} | to read
        rbac-norole-schema-one      | weaviate-query-hybrid           | {"collection_name":"AuthArticle","query":"x","alpha":0} | read_collections
        rbac-norole-create          | weaviate-collections-create     | {"collection_name":"AuthNew"} | create_collections
        auth-no-header              | weaviate-collections-get-config | {} | (401)
        auth-bad-key                | weaviate-collections-get-config | {} | (401)
        """)
    void refusedKeyIsSaidToBeTheGateways(String recording, String tool, String arguments, String part) {
        stub.play(recording);
        ToolResult result = gateway.call(tool, arguments);
        assertEquals("DENIED_UPSTREAM", result.errorKind(), result::toString);
        assertTrue(result.text().contains(part), result::toString);
        assertFalse(result.toString().contains("norole"), result::toString);
    }

    @Test
    void deleteWithoutTheRightIsDeniedEvenDry() {
        stub.play("rbac-norole-schema-one", "rbac-step4-delete-dry");
        ToolResult result = gateway.call("weaviate-objects-delete", """
            {"collection_name":"AuthArticle","where":{"path":["title"],"operator":"Equal","valueText":"zzz"}}\
            """);
        assertEquals("DENIED_UPSTREAM", result.errorKind(), result::toString);
        assertTrue(result.text().contains("read_data"), result::toString);
    }

    @Test
    void upsertWithoutTheRightIsOneFailure() {
        stub.play("rbac-norole-schema-one", "rbac-step1-upsert");
        ToolResult result = gateway.call("weaviate-objects-upsert", """
            {"collection_name":"AuthArticle","objects":[{"properties":{"title":"x"}}]}\
            """);
        assertEquals("DENIED_UPSTREAM", result.errorKind(), result::toString);
        assertTrue(result.text().contains("create_data"), result::toString);
    }

    @Test
    void objectsAreReadWithoutTheRightToReadTheSchema() {
        stub.play("rbac-norole-schema-one", "rbac-reader-object-get");
        ToolResult result = gateway.call(
                "weaviate-objects-get", "{\"collection_name\":\"AuthArticle\",\"uuids\":[\"" + OBJECT + "\"]}");
        assertEquals(
                OBJECT, result.structured().path("objects").path(0).path("id").asText(), result::toString);
    }

    @Test
    void forbiddenObjectIsAFailureNotMissing() {
        stub.play("rbac-norole-schema-one", "rbac-norole-object-get");
        ToolResult result = gateway.call(
                "weaviate-objects-get", "{\"collection_name\":\"AuthArticle\",\"uuids\":[\"" + OBJECT + "\"]}");
        assertEquals("DENIED_UPSTREAM", result.errorKind(), result::toString);
        assertTrue(result.text().contains("read_data"), result::toString);
    }

    @Test
    void hybridSaysWhichRightGraphQlNeeds() {
        engineArticle("AuthArticle");
        stub.play("rbac-norole-graphql");
        ToolResult result = gateway.call(
                "weaviate-query-hybrid", "{\"collection_name\":\"AuthArticle\",\"query\":\"learning\",\"alpha\":0}");
        assertEquals("DENIED_UPSTREAM", result.errorKind(), result::toString);
        assertTrue(result.text().contains("read_collections on all collections"), result::toString);
    }

    @Test
    void lookupInBulkFallsBackWhereGraphQlIsRefusedOrOff() {
        engineArticle("AuthArticle");
        for (String refusal : List.of("rbac-norole-graphql", "graphql-disabled")) {
            stub.play(refusal);
            ToolResult result = gateway.call(
                    "weaviate-objects-get",
                    "{\"collection_name\":\"AuthArticle\",\"uuids\":[\"" + TestEngine.id(9, 2) + "\",\""
                            + TestEngine.id(9, 9) + "\",\"" + TestEngine.id(9, 1) + "\"]}");
            assertEquals(
                    List.of(TestEngine.id(9, 2), TestEngine.id(9, 1)),
                    Suite.each(result.structured().path("objects"), "id"),
                    result::toString);
            assertEquals(
                    TestEngine.id(9, 9),
                    result.structured().path("missing").path(0).asText());
        }
    }

    @Test
    void graphQlSwitchedOffIsExplained() {
        engineArticle("AuthArticle");
        stub.play("graphql-disabled");
        ToolResult result = gateway.call(
                "weaviate-query-hybrid", "{\"collection_name\":\"AuthArticle\",\"query\":\"learning\",\"alpha\":0}");
        assertTrue(result.text().contains("graphql api is disabled"), result::toString);
    }

    @Test
    void serverThatAllowsTooFewResultsIsExplained() {
        engineArticle("CapArticle");
        stub.playAs("POST /v1/graphql", "cap-graphql-hybrid");
        ToolResult result = gateway.call(
                "weaviate-query-hybrid", "{\"collection_name\":\"CapArticle\",\"query\":\"cap\",\"alpha\":0}");
        assertEquals("UNAVAILABLE", result.errorKind(), result::toString);
        assertTrue(result.text().contains("QUERY_MAXIMUM_RESULTS"), result::toString);
    }

    @Test
    void emptyListsOfBothAuthorisersAreEmptyLists() {
        for (String recording : List.of("rbac-norole-schema-all", "adminlist-norole-schema-all")) {
            stub.play(recording);
            ToolResult result = gateway.call("weaviate-collections-get-config", "{}");
            assertEquals(0, result.structured().path("collections").size(), result::toString);
            assertTrue(result.structured().path("collections").isArray());
        }
        stub.play("rbac-norole-tenants");
        assertEquals(
                0,
                gateway.call("weaviate-tenants-list", "{\"collection_name\":\"AuthMt\"}")
                        .structured()
                        .path("total")
                        .asInt());
    }

    @Test
    void answerWithoutABodyIsACrash() {
        engineArticle("GetArticle");
        // Recorded for limit -1, which the gateway never sends.
        stub.playAs("GET /v1/objects?class=GetArticle&limit=25&after=", "objects-list-limit-negative");
        ToolResult result = gateway.call("weaviate-objects-get", "{\"collection_name\":\"GetArticle\"}");
        assertEquals("UNAVAILABLE", result.errorKind(), result::toString);
        assertTrue(result.text().contains("without a body"), result::toString);
        assertEquals("crash", result.error().path("code").asText());
    }

    @Test
    void suggestionsAndShardNamesAreNotPassedOn() {
        engineArticle("VecArticle");
        stub.playAs("POST /v1/graphql", "hybrid-vec-dims");
        ToolResult dims = gateway.call(
                "weaviate-query-hybrid", "{\"collection_name\":\"VecArticle\",\"query\":\"learning\",\"alpha\":0}");
        assertTrue(dims.text().contains("vector lengths don't match"), dims::toString);
        assertFalse(dims.text().contains("HAmXV0sxYU7u"), dims::toString);
        Caller some = new Caller(
                "team", "key", Caller.unrestricted().rights(), ResourceScope.anyOf(List.of("VecArticle")), Map.of());
        gateway.as(_ -> some);
        stub.playAs("POST /v1/graphql", "graphql-variables-unknown-class-type");
        stub.playAs("POST /v1/graphql", "graphql-variables-unknown-class-type");
        ToolResult suggested = gateway.call(
                "weaviate-query-hybrid", "{\"collection_name\":\"VecArticle\",\"query\":\"learning\",\"alpha\":0}");
        assertTrue(suggested.isError());
        for (String other : List.of("MtEmpty", "TwoVec", "TestArticle", "AutoMade")) {
            assertFalse(suggested.toString().contains(other), suggested::toString);
        }
    }

    private void engineArticle(String name) {
        stub.load(name, TestEngine.id(9, 1), TestEngine.id(9, 2));
    }
}
