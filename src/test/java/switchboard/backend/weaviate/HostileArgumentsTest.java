package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/** Every argument of every tool gets what it was not made for; the engine never sees anything unintended. */
class HostileArgumentsTest extends Suite {
    private static final List<String> TEXTS = List.of(
            "\"quote",
            "}}){x}",
            "a\nb\r\nX-Header: y",
            "../../v1/meta",
            "%2e%2e%2fschema",
            "a\u0000b",
            "🙂",
            "\ud83d",
            "\udc00x",
            "A".repeat(1 << 20),
            "?class=Other",
            "#",
            "a&tenant=b",
            "{\"$ne\":1}",
            "\\",
            "日本語",
            " ",
            "*",
            "' OR 1=1 --");
    private static final List<String> VALUES = List.of(
            "0", "-1", "1e400", "99999999999999999999", "2.5", "\"7\"", "true", "[]", "{}", "[[[]]]", "null", "-0.0");
    private static final Map<String, String> PLAIN = Map.of(
            "weaviate-collections-get-config", "{\"collection_name\":\"TestArticle\"}",
            "weaviate-tenants-list", "{\"collection_name\":\"MtArticle\"}",
            "weaviate-objects-get", "{\"collection_name\":\"TestArticle\"}",
            "weaviate-logs-fetch", "{}",
            "weaviate-collections-create", "{\"collection_name\":\"Hostile\"}",
            "weaviate-objects-delete", "{\"collection_name\":\"TestArticle\"}",
            "weaviate-objects-upsert",
                    "{\"collection_name\":\"Hostile\",\"objects\":[{\"properties\":{\"title\":\"x\"}}]}",
            "weaviate-query-hybrid", "{\"collection_name\":\"TestArticle\",\"query\":\"learning\",\"alpha\":0}");
    private static final Set<String> PATHS = Set.of(
            "/v1/schema",
            "/v1/schema/Hostile",
            "/v1/schema/TestArticle",
            "/v1/schema/MtArticle",
            "/v1/schema/MtArticle/tenants",
            "/v1/schema/A",
            "/v1/objects",
            "/v1/batch/objects",
            "/v1/graphql");

    @Override
    void fixtures() {
        engine.articles();
        engine.articlesOfTenants();
        engine.fresh("Hostile");
        engine.stub().ifPresent(stub -> stub.searches().answerAnything());
    }

    @Test
    void nothingUnintendedReachesTheEngine() throws JsonProcessingException {
        engine.stub().ifPresent(StubWeaviate::forget);
        for (ToolDescriptor tool : BackendHarness.descriptors("weaviate")) {
            for (Map.Entry<String, JsonNode> property :
                    tool.inputSchema().path("properties").properties()) {
                for (String text : TEXTS) {
                    attack(tool.name(), property.getKey(), Json.mapper().valueToTree(text));
                    attack(tool.name(), property.getKey(), Json.array().add(text));
                    attack(tool.name(), property.getKey(), nested(property.getKey(), text));
                }
                for (String value : VALUES) {
                    attack(tool.name(), property.getKey(), Json.parse(value));
                }
            }
        }
        engine.stub().ifPresent(stub -> stub.seen().forEach(HostileArgumentsTest::intended));
    }

    private static JsonNode nested(String argument, String text) {
        ObjectNode object = Json.object();
        if (argument.equals("objects") || argument.equals("properties")) {
            object.put("name", text).put("uuid", text).putArray("dataType").add(text);
            object.putObject("properties").put(text, text);
            return Json.array().add(object);
        }
        object.put("operator", "Equal").put("valueText", text).putArray("path").add("title");
        return object;
    }

    private void attack(String tool, String argument, JsonNode value) throws JsonProcessingException {
        ObjectNode arguments = (ObjectNode) Json.parse(PLAIN.getOrDefault(tool, "{}"));
        arguments.set(argument, value);
        ToolResult result = gateway.call(tool, arguments);
        String shown = result.text().length() > 300 ? result.text().substring(0, 300) : result.text();
        assertNotEquals("INTERNAL", result.errorKind(), () -> tool + "." + argument + ": " + shown);
        assertTrue(!result.isError() || result.text().length() < 20_000, () -> tool + "." + argument);
    }

    private static void intended(StubWeaviate.Seen seen) {
        URI uri = URI.create("http://x" + seen.path());
        String path = uri.getRawPath();
        assertTrue(PATHS.contains(path), path);
        if (path.equals("/v1/graphql")) {
            GraphQlDocument document = GraphQlDocument.read(seen.body());
            assertEquals("TestArticle", document.collection());
            Set<String> names = new TreeSet<>();
            document.arguments().fieldNames().forEachRemaining(names::add);
            assertTrue(Set.of("hybrid", "limit", "tenant", "where").containsAll(names), names::toString);
        }
        if (seen.method().equals("DELETE")) {
            assertTrue(seen.body().path("dryRun").isBoolean());
        }
    }
}
