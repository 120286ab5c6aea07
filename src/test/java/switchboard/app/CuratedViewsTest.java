package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A view of a team's own, from the configuration to the wire: a search whose library is fixed. */
class CuratedViewsTest {
    private final ApiKey research = ApiKey.generate(new SecureRandom());
    private final ApiKey operators = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("texts.yaml"), """
                tools:
                  vectordb__search: {description: Find passages in the papers of the research team.}
                """);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  research:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search,embed:papers"]
                    views: [papers]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(research.sha256(), operators.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                views:
                  papers:
                    backends: [vectordb]
                    tools: [vectordb__search, vectordb__get_document, vectordb__delete_document]
                    rename: {vectordb__search: find_papers}
                    descriptions: texts.yaml
                    pinned: {vectordb__search: {library: papers}}
                    defaults: {vectordb__search: {top_k: 1}}
                """, folder);
        McpTestClient operator = gateway.modern().with("X-API-Key", operators.text());
        for (String library : List.of("papers", "secrets")) {
            for (String source : List.of("a", "b")) {
                ToolResult stored = operator.call(
                        "ingest_text",
                        "{\"content\":\"lanterns in %1$s, part %2$s\",\"source\":\"%2$s\",\"library\":\"%1$s\"}"
                                .formatted(library, source));
                assertFalse(stored.isError(), stored.toString());
            }
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void theTeamSeesItsOwnNamesTextsAndArguments() {
        List<JsonNode> tools = client().tools();
        assertEquals(
                List.of("find_papers", "get_document"),
                tools.stream().map(tool -> tool.path("name").asText()).toList(),
                "and not delete_document, for which it has no grant");
        JsonNode search = tools.getFirst();
        assertEquals(
                "Find passages in the papers of the research team.",
                search.path("description").asText());
        JsonNode properties = search.path("inputSchema").path("properties");
        assertFalse(properties.has("library"), search.toString());
        assertEquals(1, properties.path("top_k").path("default").asInt());
    }

    @Test
    void thePinnedArgumentIsSentAndTheOtherDefaultHolds() {
        assertEquals(List.of("papers"), libraries(client().call("find_papers", "{\"query\":\"lanterns\"}")));
        assertEquals(
                List.of("papers", "papers"),
                libraries(client().call("find_papers", "{\"query\":\"lanterns\",\"top_k\":9}")));
    }

    @Test
    void thePinnedArgumentIsRefusedWhenSentWhateverItsValue() {
        for (String library : List.of("\"secrets\"", "\"papers\"", "null")) {
            ToolResult refused = client().call("find_papers", "{\"query\":\"lanterns\",\"library\":" + library + "}");
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused.toString());
            assertTrue(refused.text().contains("library"), refused.text());
        }
    }

    @Test
    void theOldNameAndEveryOtherViewDoNotExistForIt() {
        HttpReply old = client().request("tools/call", Json.object().put("name", "search"));
        assertEquals(-32602, old.json().at("/error/code").asInt(), old.body());
        for (String url : List.of("", "/vectordb", "/nothing")) {
            try (McpTestClient elsewhere = McpTestClient.modern(java.net.URI.create(gateway.url() + url))) {
                HttpReply reply = elsewhere.with("X-API-Key", research.text()).request("tools/list", Json.object());
                assertEquals(404, reply.status(), url);
            }
        }
    }

    private McpTestClient client() {
        return gateway.modern("papers").with("X-API-Key", research.text());
    }

    private static List<String> libraries(ToolResult found) {
        return StreamSupport.stream(found.structured().path("results").spliterator(), false)
                .map(hit -> hit.path("library").asText())
                .toList();
    }
}
