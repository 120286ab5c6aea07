package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/**
 * Servers that are set up otherwise, on recordings or where the environment names them: {@code WEAVIATE_CAP_URL} with
 * {@code QUERY_MAXIMUM_RESULTS=50}, {@code WEAVIATE_NOGRAPHQL_URL} with {@code DISABLE_GRAPHQL=true}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServerSettingsContractTest {
    private static final String GET = "weaviate-objects-get";

    private static TestEngine engine(String variable) {
        return Optional.ofNullable(System.getenv(variable))
                .map(url -> new TestEngine(URI.create(url), null))
                .orElseGet(() -> new TestEngine(new StubWeaviate()));
    }

    private static void close(TestEngine engine) {
        engine.close();
        engine.stub().ifPresent(stub -> {
            assertEquals(List.of(), stub.unexpected());
            stub.close();
        });
    }

    @Test
    void fewResultsAtATimeAreEnoughToDeleteAndToPageThroughAll() {
        TestEngine engine = engine("WEAVIATE_CAP_URL");
        engine.stub().ifPresent(stub -> {
            stub.maximumResults(50);
            stub.playAs("POST /v1/graphql", "cap-graphql-hybrid");
        });
        String name = engine.collection("CapArticle", TestEngine.properties("title:text"));
        engine.put(
                "CapArticle",
                IntStream.range(0, 120)
                        .mapToObj(i -> "{\"id\":\"" + TestEngine.id(6, i) + "\",\"properties\":{\"title\":\"cap\"}}")
                        .collect(Collectors.joining(",", "[", "]")));
        try (BackendHarness gateway = engine.gateway()) {
            ToolResult over = gateway.call(GET, "{\"collection_name\":\"" + name + "\",\"offset\":30}");
            assertEquals("INVALID_ARGUMENT", over.errorKind(), over::toString);
            assertTrue(over.text().contains("pages further with after"), over::text);
            JsonNode deep = gateway.call(
                            GET,
                            "{\"collection_name\":\"" + name + "\",\"limit\":50,\"after\":\"" + TestEngine.id(6, 99)
                                    + "\"}")
                    .structured();
            assertEquals(20, deep.path("objects").size(), deep::toString);
            ToolResult search = gateway.call(
                    "weaviate-query-hybrid", "{\"collection_name\":\"" + name + "\",\"query\":\"cap\",\"alpha\":0}");
            assertEquals("UNAVAILABLE", search.errorKind(), search::toString);
            assertTrue(search.text().contains("QUERY_MAXIMUM_RESULTS"), search::text);
            JsonNode deleted = gateway.call(
                            "weaviate-objects-delete", "{\"collection_name\":\"" + name + "\",\"dry_run\":false}")
                    .structured();
            assertEquals(120, deleted.path("deleted").asInt(), deleted::toString);
            assertEquals(120, deleted.path("matches").asInt());
            assertTrue(deleted.path("complete").asBoolean());
        } finally {
            close(engine);
        }
    }

    @Test
    void withoutGraphQlOnlySearchIsImpossible() {
        TestEngine engine = engine("WEAVIATE_NOGRAPHQL_URL");
        engine.stub().ifPresent(stub -> {
            stub.playAs("POST /v1/graphql", "graphql-disabled");
            stub.playAs("POST /v1/graphql", "graphql-disabled");
        });
        String name = engine.collection("NoGraphQl", TestEngine.properties("title:text"));
        engine.put(
                "NoGraphQl",
                IntStream.range(0, 4)
                        .mapToObj(i -> "{\"id\":\"" + TestEngine.id(6, i) + "\",\"properties\":{\"title\":\"t\"}}")
                        .collect(Collectors.joining(",", "[", "]")));
        try (BackendHarness gateway = engine.gateway()) {
            ToolResult search = gateway.call(
                    "weaviate-query-hybrid", "{\"collection_name\":\"" + name + "\",\"query\":\"t\",\"alpha\":0}");
            assertEquals("UNAVAILABLE", search.errorKind(), search::toString);
            assertTrue(search.text().contains("DISABLE_GRAPHQL"), search::text);
            JsonNode found = gateway.call(
                            GET,
                            "{\"collection_name\":\"" + name + "\",\"uuids\":[\"" + TestEngine.id(6, 2) + "\",\""
                                    + TestEngine.id(6, 9) + "\",\"" + TestEngine.id(6, 1) + "\"]}")
                    .structured();
            assertEquals(List.of(TestEngine.id(6, 2), TestEngine.id(6, 1)), Suite.each(found.path("objects"), "id"));
            assertEquals(TestEngine.id(6, 9), found.path("missing").path(0).asText());
        } finally {
            close(engine);
        }
    }
}
