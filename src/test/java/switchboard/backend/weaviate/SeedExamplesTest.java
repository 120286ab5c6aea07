package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolCaller;
import switchboard.testing.ToolResult;

/** The examples of the documentation of Weaviate's MCP server, over HTTP at {@code /mcp/weaviate}. */
class SeedExamplesTest {
    private static final List<String> READS = List.of(
            "weaviate-collections-get-config",
            "weaviate-objects-get",
            "weaviate-query-hybrid",
            "weaviate-tenants-list");
    private static final List<String> ALL = List.of(
            "weaviate-collections-create",
            "weaviate-collections-get-config",
            "weaviate-logs-fetch",
            "weaviate-objects-delete",
            "weaviate-objects-get",
            "weaviate-objects-upsert",
            "weaviate-query-hybrid",
            "weaviate-tenants-list");

    private StubWeaviate stub;

    @BeforeEach
    void start() {
        stub = new StubWeaviate();
        stub.searches().answerAnything();
    }

    @AfterEach
    void stop() {
        assertEquals(List.of(), stub.unexpected());
        stub.close();
    }

    private TestGateway gateway(String more) {
        return TestGateway.start("""
                backends:
                  weaviate:
                    type: weaviate
                    url: %s
                %s
                """.formatted(stub.url(), more.indent(4)));
    }

    @Test
    void closedGatesHideTheirTools() {
        try (TestGateway gateway = gateway("")) {
            assertEquals(READS, gateway.modern("weaviate").toolNames());
            assertEquals(READS, gateway.legacy("weaviate").toolNames());
        }
    }

    @Test
    void examplesDoWhatTheirTextSays() {
        try (TestGateway gateway = gateway("writes: true\nlogs: { enabled: true, source: gateway }")) {
            assertEquals(ALL, gateway.modern("weaviate").toolNames());
            collections(gateway.modern("weaviate"));
            objects(gateway.legacy("weaviate"));
            searches(gateway.modern("weaviate"));
            deletions(gateway.modern("weaviate"));
            tenants(gateway.modern("weaviate"));
            logs(gateway.modern("weaviate"));
        }
    }

    @Test
    void curlExampleNeedsNoSession() {
        try (TestGateway gateway = gateway("")) {
            HttpReply reply =
                    McpTestClient.modern(gateway.url("weaviate")).post("""
                            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weaviate-collections-get-config","arguments":{}}}
                            """, Map.of("Content-Type", "application/json"));
            assertEquals(200, reply.status(), reply::body);
            assertEquals("{\"collections\":[]}", new ToolResult(reply.json().path("result")).text(), reply::body);
        }
    }

    private static JsonNode ok(ToolCaller client, String tool, String arguments) {
        ToolResult result = client.call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        assertEquals(Json.text(result.structured()), result.text());
        return result.structured();
    }

    private static void collections(ToolCaller client) {
        assertEquals(
                "Article",
                ok(client, "weaviate-collections-create", """
                {"collection_name":"Article","description":"A collection for articles","properties":[
                 {"name":"title","dataType":["text"],"description":"Title of the article"},
                 {"name":"content","dataType":["text"],"description":"Main content of the article"},
                 {"name":"author","dataType":["text"]},{"name":"status","dataType":["text"]},
                 {"name":"publishDate","dataType":["date"],"description":"Publication date"}]}
                """)
                        .path("collection_name")
                        .asText());
        ToolResult product = client.call("weaviate-collections-create", """
                {"collection_name":"Product","description":"Product catalog","properties":[{"name":"name","dataType":["text"]},
                 {"name":"description","dataType":["text"]},{"name":"price","dataType":["number"]}],
                 "vectorConfig":{"default":{"vectorizer":"text2vec-transformers","vectorIndexType":"hnsw"}}}
                """);
        assertTrue(product.text().contains("no module with name \"text2vec-transformers\""), product::toString);
        ok(client, "weaviate-collections-create", """
                {"collection_name":"Product","properties":[{"name":"name","dataType":["text"]},{"name":"price","dataType":["number"]}],
                 "vectorConfig":{"default":{"vectorizer":"none","vectorIndexType":"hnsw"}}}
                """);
        ok(client, "weaviate-collections-create", """
                {"collection_name":"UserData","properties":[{"name":"username","dataType":["text"]},{"name":"email","dataType":["text"]}],
                 "multiTenancyConfig":{"enabled":true,"autoTenantCreation":false}}
                """);
        assertEquals(
                3,
                ok(client, "weaviate-collections-get-config", "{}")
                        .path("collections")
                        .size());
        JsonNode one = ok(client, "weaviate-collections-get-config", "{\"collection_name\":\"Article\"}");
        assertEquals(List.of("Article"), Suite.each(one.path("collections"), "class"));
    }

    private static void objects(ToolCaller client) {
        assertEquals(
                1, ok(client, "weaviate-objects-upsert", """
                {"collection_name":"Article","objects":[{"properties":{"title":"Example Article","content":"Article content here","author":"John Doe"}}]}
                """).path("results").size());
        JsonNode two = ok(client, "weaviate-objects-upsert", """
                {"collection_name":"Article","objects":[
                 {"uuid":"550e8400-e29b-41d4-a716-446655440000","properties":{"title":"Updated Article","content":"This will update if UUID exists","status":"draft"}},
                 {"uuid":"550e8400-e29b-41d4-a716-446655440001","properties":{"title":"Another Article","content":"This will also update if UUID exists"}}]}
                """);
        assertEquals(
                "550e8400-e29b-41d4-a716-446655440001",
                two.path("results").path(1).path("id").asText());
        ok(client, "weaviate-objects-upsert", """
                {"collection_name":"Product","objects":[{"properties":{"name":"Laptop","price":1299.99},"vectors":{"default":[0.1,0.2,0.3,0.4,0.5]}}]}
                """);
        JsonNode both = ok(client, "weaviate-objects-get", """
                {"collection_name":"Article","uuids":["550e8400-e29b-41d4-a716-446655440000","550e8400-e29b-41d4-a716-446655440001"]}
                """);
        assertEquals(
                List.of("Updated Article", "Another Article"), Suite.each(both.path("objects"), "properties", "title"));
        assertEquals(
                3,
                ok(client, "weaviate-objects-get", "{\"collection_name\":\"Article\",\"limit\":10,\"offset\":0}")
                        .path("objects")
                        .size());
        JsonNode chosen =
                ok(client, "weaviate-objects-get", """
                {"collection_name":"Article","limit":5,"return_properties":["title","author"],"return_metadata":["id","creationTimeUnix","lastUpdateTimeUnix"]}
                """).path("objects").path(0);
        assertTrue(chosen.has("creationTimeUnix")
                && chosen.has("lastUpdateTimeUnix")
                && !chosen.path("properties").has("content"));
        JsonNode vector =
                ok(client, "weaviate-objects-get", "{\"collection_name\":\"Product\",\"include_vector\":true}");
        assertEquals(
                5,
                vector.path("objects").path(0).path("vectors").path("default").size());
        assertEquals(
                0,
                ok(client, "weaviate-objects-get", "{\"collection_name\":\"Article\",\"limit\":25,\"offset\":25}")
                        .path("objects")
                        .size());
    }

    private void searches(ToolCaller client) {
        ok(client, "weaviate-query-hybrid", "{\"query\":\"machine learning\",\"collection_name\":\"Article\"}");
        stub.forget();
        ToolResult advanced = client.call("weaviate-query-hybrid", """
                {"query":"neural networks and deep learning","collection_name":"Article","alpha":0,"limit":10,
                 "target_properties":["title","content"],"return_properties":["title","content","author"],"return_metadata":["id","score","distance"]}
                """);
        assertFalse(advanced.isError(), advanced::toString);
        GraphQlDocument sent = GraphQlDocument.read(stub.seen().stream()
                .filter(seen -> seen.path().equals("/v1/graphql"))
                .toList()
                .getLast()
                .body());
        assertEquals(10, sent.arguments().path("limit").asInt());
        assertEquals(
                "neural networks and deep learning",
                sent.arguments().path("hybrid").path("query").asText());
        assertEquals(
                List.of("title", "content"),
                Suite.each(sent.arguments().path("hybrid").path("properties")));
        assertEquals(
                List.of("title", "content", "author", "_additional"),
                sent.selection().stream().map(GraphQlDocument.Field::name).toList());
    }

    private static void deletions(ToolCaller client) {
        JsonNode dry = ok(client, "weaviate-objects-delete", "{\"collection_name\":\"Article\"}");
        assertEquals("{\"deleted\":0,\"matches\":3,\"dry_run\":true}", Json.text(dry));
        assertEquals(
                1, ok(client, "weaviate-objects-delete", """
                {"collection_name":"Article","where":{"path":["status"],"operator":"Equal","valueText":"draft"},"dry_run":false}
                """).path("deleted").asInt());
        assertEquals(
                0, ok(client, "weaviate-objects-delete", """
                {"collection_name":"Product","where":{"path":["price"],"operator":"LessThan","valueNumber":10},"dry_run":false}
                """).path("deleted").asInt());
        assertEquals(
                0, ok(client, "weaviate-objects-delete", """
                {"collection_name":"Article","where":{"operator":"And","operands":[{"path":["status"],"operator":"Equal","valueText":"archived"},
                 {"path":["publishDate"],"operator":"LessThan","valueDate":"2020-01-01T00:00:00Z"}]},"dry_run":false}
                """).path("deleted").asInt());
        assertEquals(
                2,
                ok(client, "weaviate-objects-delete", "{\"collection_name\":\"Article\",\"dry_run\":false}")
                        .path("deleted")
                        .asInt());
    }

    private void tenants(ToolCaller client) {
        stub.tenant("UserData", "customer-a");
        assertEquals(
                2, ok(client, "weaviate-objects-upsert", """
                {"collection_name":"UserData","tenant_name":"customer-a","objects":[
                 {"properties":{"username":"john_doe","email":"john@example.com"}},{"properties":{"username":"jane_smith","email":"jane@example.com"}}]}
                """).path("results").size());
        assertEquals(
                List.of("customer-a"),
                Suite.each(
                        ok(client, "weaviate-tenants-list", "{\"collection_name\":\"UserData\"}")
                                .path("tenants"),
                        "name"));
        assertEquals(
                2,
                ok(
                                client,
                                "weaviate-objects-get",
                                "{\"collection_name\":\"UserData\",\"tenant_name\":\"customer-a\",\"limit\":20}")
                        .path("objects")
                        .size());
        assertEquals(
                1, ok(client, "weaviate-objects-delete", """
                {"collection_name":"UserData","tenant_name":"customer-a","where":{"path":["username"],"operator":"Equal","valueText":"john_doe"},"dry_run":false}
                """).path("deleted").asInt());
    }

    private static void logs(ToolCaller client) {
        for (String arguments : List.of("{}", "{\"limit\":5000}", "{\"limit\":3000,\"offset\":2000}")) {
            assertEquals(
                    "gateway",
                    ok(client, "weaviate-logs-fetch", arguments).path("source").asText());
        }
    }
}
