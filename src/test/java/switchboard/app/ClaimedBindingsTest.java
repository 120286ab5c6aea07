package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.BackendHarness;
import switchboard.testing.McpTestClient;
import switchboard.testing.SampleArguments;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Members of one team who are bound to different values by what is known about each of them. */
class ClaimedBindingsTest {
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb}
              agentroot: {type: agentroot}
            """;

    private static final String BOUND = "{vectordb: {owner: \"{claim:desk}\"}, agentroot: {owner: \"{claim:desk}\"}}";

    private final Map<String, ApiKey> keys = new TreeMap<>();

    @TempDir
    Path folder;

    private TestGateway start(String bindings) throws IOException {
        for (String id : List.of("ann", "bob", "eve", "two")) {
            keys.put(id, ApiKey.generate(new SecureRandom()));
        }
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys:
                      - {id: ann, sha256: %s, claims: {desk: [north]}}
                      - {id: bob, sha256: %s, claims: {desk: [south]}}
                      - {id: eve, sha256: %s}
                      - {id: two, sha256: %s, claims: {desk: [north, south]}}
                    grants: ["*:*"]
                    bindings: %s
                """.formatted(
                        keys.get("ann").sha256(),
                        keys.get("bob").sha256(),
                        keys.get("eve").sha256(),
                        keys.get("two").sha256(),
                        bindings));
        return TestGateway.start(YAML, folder);
    }

    private McpTestClient client(TestGateway gateway, String id) {
        return McpTestClient.modern(gateway.url())
                .with("X-API-Key", keys.get(id).text());
    }

    @Test
    void eachSeesItsOwnAndNobodyElses() throws IOException {
        try (TestGateway gateway = start(BOUND)) {
            McpTestClient ann = client(gateway, "ann");
            McpTestClient bob = client(gateway, "bob");
            String id = ann.call("ingest_text", "{\"content\": \"The granite quarry closes.\", \"source\": \"q\"}")
                    .structured()
                    .path("doc_id")
                    .asText();
            assertFalse(ann.call("memory_store", "{\"content\": \"granite is grey\", \"category\": \"fact\"}")
                    .isError());
            assertTrue(found(ann, "granite"));
            assertFalse(found(bob, "granite"));
            assertEquals(
                    "NOT_FOUND",
                    bob.call("get_document", Json.object().put("doc_id", id)).errorKind());
            assertFalse(
                    bob.call("memory_search", "{\"query\": \"granite\"}").text().contains("grey"));
            assertTrue(
                    ann.call("memory_search", "{\"query\": \"granite\"}").text().contains("grey"));
        }
    }

    private static boolean found(McpTestClient client, String word) {
        ToolResult everywhere = client.call("search_everywhere", Json.object().put("query", word));
        ToolResult own = client.call("vectordb__search", Json.object().put("query", word));
        assertEquals(own.text().contains("quarry"), everywhere.text().contains("quarry"), everywhere.toString());
        return own.text().contains("quarry");
    }

    @Test
    void whoLacksTheClaimOrHasSeveralIsDeniedByEveryTool() throws IOException {
        try (TestGateway gateway = start(BOUND)) {
            for (String tool : List.of("list_libraries", "list_documents", "status")) {
                assertEquals(
                        "DENIED", client(gateway, "eve").call(tool, "{}").errorKind(), tool + " of an empty store");
            }
            assertFalse(client(gateway, "ann")
                    .call("ingest_text", "{\"content\": \"The granite quarry closes.\", \"source\": \"q\"}")
                    .isError());
            for (String id : List.of("eve", "two")) {
                McpTestClient client = client(gateway, id);
                for (String backend : List.of("vectordb", "agentroot")) {
                    for (ToolDescriptor tool : BackendHarness.descriptors(backend)) {
                        ToolResult result =
                                client.call(backend + "__" + tool.name(), SampleArguments.of(tool, "default"));
                        if (tool.name().equals("batch_search")) {
                            continue; // its sample has an empty query; below it has one
                        }
                        assertTrue(
                                List.of("DENIED", "INVALID_ARGUMENT").contains(result.errorKind()),
                                tool.name() + ": " + result);
                    }
                }
                ToolResult batch = client.call("batch_search", "{\"queries\": [{\"query\": \"granite\"}]}");
                assertTrue(batch.isError() || batch.text().contains("desk"), batch.toString());
                ToolResult denied = client.call("list_documents", "{}");
                assertEquals("DENIED", denied.errorKind());
                assertTrue(denied.text().contains("desk"), denied.text());
                ToolResult everywhere = client.call("search_everywhere", "{\"query\": \"granite\"}");
                assertFalse(everywhere.toString().contains("quarry"), everywhere.toString());
                assertFalse(client.result("resources/list", Json.object())
                        .toString()
                        .contains("quarry"));
            }
        }
    }

    @Test
    void aPlaceholderThatIsNotKnownIsAProblemOfTheFile() {
        BootException refused =
                assertThrows(BootException.class, () -> start("{vectordb: {owner: \"{claims:desk}\"}}"));
        assertTrue(refused.getMessage().contains("team red: bindings.vectordb.owner"), refused.getMessage());
        assertTrue(refused.getMessage().contains("{claim:NAME}"), refused.getMessage());
    }
}
