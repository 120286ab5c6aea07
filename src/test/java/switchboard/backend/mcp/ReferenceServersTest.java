package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.NodeTools;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;

/** Servers that others wrote, behind the gateway: with the reference SDK, over HTTP and on standard input and output. */
@Tag("engines")
class ReferenceServersTest {
    private static final String MEILISEARCH_MCP = "meilisearch-mcp==0.7.0";

    private static NodeTools tools;

    @BeforeAll
    static void install() {
        tools = NodeTools.install();
    }

    private static TestGateway gateway(String backend) {
        return TestGateway.start("backends:\n  other: " + backend);
    }

    private static List<McpTestClient> clients(TestGateway gateway) {
        return List.of(gateway.modern("other"), gateway.legacy("other"));
    }

    @Test
    void aServerOfTheReferenceSdkSpeaksTheModernEra() throws IOException, InterruptedException {
        Process server = new ProcessBuilder(
                        "node", tools.file("reference-server.mjs").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            String url = "http://127.0.0.1:" + out.readLine() + "/mcp";
            try (TestGateway gateway = gateway("{ type: mcp, era: modern, url: \"" + url + "\" }")) {
                for (McpTestClient client : clients(gateway)) {
                    assertEquals(List.of("add"), client.toolNames());
                    ObjectNode two = Json.object().put("a", 1).put("b", 2);
                    assertEquals(
                            3, client.call("add", two).structured().path("sum").asInt());
                    assertEquals(
                            "Hello.",
                            client.result("prompts/get", Json.object().put("name", "hello"))
                                    .at("/messages/0/content/text")
                                    .asText());
                }
            }
        } finally {
            server.getOutputStream().close();
            assertTrue(server.waitFor(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void everythingOnAPipe() {
        Path script = tools.file("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
        try (TestGateway gateway = gateway("{ type: mcp, command: [node, \"" + script + "\", stdio] }")) {
            McpTestClient first = gateway.modern("other");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> first.toolNames().contains("echo"),
                    () -> "its tools were never listed");
            for (McpTestClient client : clients(gateway)) {
                assertEquals(
                        "Echo: hello",
                        client.call("echo", Json.object().put("message", "hello"))
                                .text());
                assertFalse(client.result("resources/list", Json.object())
                        .path("resources")
                        .isEmpty());
                assertFalse(client.result("prompts/list", Json.object())
                        .path("prompts")
                        .isEmpty());
            }
            assertTrue(gateway.modern().toolNames().contains("other__echo"));
        }
    }

    @Test
    void theVendorsOwnMeilisearchServerOnAPipe() {
        Path program = PythonTools.of(MEILISEARCH_MCP).command("meilisearch-mcp");
        String yaml = "{ type: mcp, command: [\"" + program + "\"],"
                + " process: { environment: { MEILI_HTTP_ADDR: \"http://127.0.0.1:9\" } } }";
        try (TestGateway gateway = gateway(yaml)) {
            McpTestClient first = gateway.modern("other");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> first.toolNames().contains("get-connection-settings"),
                    () -> "its tools were never listed");
            for (McpTestClient client : clients(gateway)) {
                assertTrue(client.call("get-connection-settings", Json.object())
                        .text()
                        .contains("127.0.0.1:9"));
            }
        }
    }
}
