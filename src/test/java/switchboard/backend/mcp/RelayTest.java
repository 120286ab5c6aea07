package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** Another server's tools, resources and prompts through the gateway, whatever era each side speaks. */
class RelayTest {
    private FixtureServer fixture = new FixtureServer(Era.BOTH);
    private TestGateway gateway;

    private void start(Era era) {
        fixture.close();
        fixture = new FixtureServer(era);
        gateway = TestGateway.start("""
            backends:
              fixture: { type: mcp, url: "%s" }
            """.formatted(fixture.url()));
        // A start waits for a server for a while only.
        Eventually.that(() -> !gateway.modern("fixture").toolNames().isEmpty(), () -> "its tools were never listed");
    }

    @AfterEach
    void stop() {
        gateway.close();
        fixture.close();
    }

    private static List<String> types(ToolResult result) {
        List<String> types = new ArrayList<>();
        result.result()
                .path("content")
                .forEach(block -> types.add(block.path("type").asText()));
        return types;
    }

    private List<McpTestClient> clients(String view) {
        return List.of(gateway.modern(view), gateway.legacy(view));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void toolsAreListedVerbatimUnderTheirNamesInTheirOwnViewAndPrefixedInTheDefaultOne(Era era) {
        start(era);
        for (McpTestClient client : clients("fixture")) {
            JsonNode tool = client.tools().stream()
                    .filter(entry -> entry.path("name").asText().equals("json_schema_2020_12_tool"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(
                    "addressDef", tool.at("/inputSchema/$defs/address/$anchor").asText());
            assertTrue(tool.path("inputSchema").has("else"));
            assertFalse(tool.has("annotations"));
        }
        assertTrue(gateway.modern().toolNames().contains("fixture__test_simple_text"));
        assertTrue(gateway.legacy().toolNames().contains("fixture__test_simple_text"));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void callsBringTheContentAsItCame(Era era) {
        start(era);
        for (McpTestClient client : clients("fixture")) {
            ToolResult result = client.call("test_multiple_content_types", Json.object());
            assertEquals(List.of("text", "image", "resource"), types(result));
            assertTrue(client.call("test_error_handling", Json.object()).isError());
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void progressReachesTheCallerUnderItsOwnToken(Era era) {
        start(era);
        for (McpTestClient client : clients("fixture")) {
            HttpReply reply = client.request(
                    "tools/call",
                    Json.object().put("name", "test_tool_with_progress"),
                    Json.object().put("progressToken", "mine"));
            assertEquals(3, reply.body().split("\"progressToken\":\"mine\"", -1).length - 1, reply.body());
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void logsReachTheCallerAtTheLevelItWants(Era era) {
        start(era);
        McpTestClient legacy = gateway.legacy("fixture");
        legacy.result("logging/setLevel", Json.object().put("level", "info"));
        assertEquals(3, logged(legacy.request("tools/call", named("test_tool_with_logging"))));
        legacy.result("logging/setLevel", Json.object().put("level", "error"));
        assertEquals(0, logged(legacy.request("tools/call", named("test_tool_with_logging"))));
        McpTestClient modern = gateway.modern("fixture");
        ObjectNode meta = Json.object().put("io.modelcontextprotocol/logLevel", "debug");
        assertEquals(3, logged(modern.request("tools/call", named("test_tool_with_logging"), meta)));
        assertEquals(0, logged(modern.request("tools/call", named("test_tool_with_logging"))));
    }

    private static int logged(HttpReply reply) {
        assertTrue(reply.body().contains("It was logged."), reply.body());
        return reply.body().split("notifications/message", -1).length - 1;
    }

    private static ObjectNode named(String tool) {
        return Json.object().put("name", tool);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void resourcesPromptsAndCompletionAreTheServersOwn(Era era) {
        start(era);
        for (McpTestClient client : clients("fixture")) {
            assertEquals(
                    "test://static-text",
                    client.result("resources/list", Json.object())
                            .at("/resources/0/uri")
                            .asText());
            assertEquals(
                    "test://template/{id}/data",
                    client.result("resources/templates/list", Json.object())
                            .at("/resourceTemplates/0/uriTemplate")
                            .asText());
            assertEquals(
                    "{\"id\":\"7\"}",
                    client.result("resources/read", Json.object().put("uri", "test://template/7/data"))
                            .at("/contents/0/text")
                            .asText());
            JsonNode unknown = client.request("resources/read", Json.object().put("uri", "test://nowhere"))
                    .json();
            assertTrue(
                    List.of(-32602, -32002).contains(unknown.at("/error/code").asInt()), unknown.toString());
            ObjectNode prompt = named("test_prompt_with_arguments");
            prompt.putObject("arguments").put("arg1", "one").put("arg2", "two");
            assertEquals(
                    "Arguments: one and two",
                    client.result("prompts/get", prompt)
                            .at("/messages/0/content/text")
                            .asText());
            ObjectNode completion = Json.object();
            completion.putObject("ref").put("type", "ref/prompt").put("name", "test_prompt_with_arguments");
            completion.putObject("argument").put("name", "arg1").put("value", "o");
            assertEquals(
                    "one",
                    client.result("completion/complete", completion)
                            .at("/completion/values/0")
                            .asText());
        }
    }

    @Test
    void promptsOfTwoServersHaveTheServersIdBeforeThemInTheViewsOfAllBackends() {
        try (FixtureServer other = new FixtureServer(Era.MODERN)) {
            gateway = TestGateway.start("""
                    backends:
                      one: { type: mcp, url: "%s" }
                      two: { type: mcp, url: "%s" }
                    """.formatted(fixture.url(), other.url()));
            List<McpTestClient> clients = new ArrayList<>(clients(""));
            clients.addAll(clients("core"));
            for (McpTestClient client : clients) {
                List<String> names = new ArrayList<>();
                client.result("prompts/list", Json.object())
                        .path("prompts")
                        .forEach(prompt -> names.add(prompt.path("name").asText()));
                assertTrue(
                        names.containsAll(List.of("one__test_simple_prompt", "two__test_simple_prompt")),
                        names::toString);
                int before = other.received().size();
                assertTrue(client.result("prompts/get", named("two__test_simple_prompt"))
                        .has("messages"));
                assertEquals(
                        "test_simple_prompt",
                        other.received().get(before).at("/params/name").asText());
                assertTrue(client.request("prompts/get", named("test_simple_prompt"))
                        .json()
                        .has("error"));
                ObjectNode completion = Json.object();
                completion.putObject("ref").put("type", "ref/prompt").put("name", "two__test_prompt_with_arguments");
                completion.putObject("argument").put("name", "arg1").put("value", "o");
                assertEquals(
                        "one",
                        client.result("completion/complete", completion)
                                .at("/completion/values/0")
                                .asText());
            }
        }
    }

    private static List<String> listed(McpTestClient client, String method, String list, String key) {
        List<String> values = new ArrayList<>();
        client.result(method, Json.object())
                .path(list)
                .forEach(entry -> values.add(entry.path(key).asText()));
        return values;
    }

    /** The server has one tool, whose results a page shows. */
    private static void onlyTool(FixtureServer server, String name) {
        server.listTools(list -> {
            ArrayNode tools = (ArrayNode) list.path("tools");
            ObjectNode tool = ((ObjectNode) tools.remove(0)).put("name", name);
            tool.putObject("_meta").putObject("ui").put("resourceUri", "ui://app/chart.html");
            tools.removeAll().add(tool);
            return list;
        });
    }

    @Test
    void resourcesThatTwoServersCallTheSameAreEachServersOwn() {
        try (FixtureServer other = new FixtureServer(Era.MODERN)) {
            onlyTool(fixture, "draw_one");
            onlyTool(other, "draw_two");
            gateway = TestGateway.start("""
                    backends:
                      one: { type: mcp, url: "%s" }
                      two: { type: mcp, url: "%s" }
                      three: { type: agentroot }
                    views:
                      both: { backends: [one, two, three] }
                      alone: { backends: [two, three] }
                    embedders: { default: { provider: none } }
                    """.formatted(fixture.url(), other.url()));
            List<McpTestClient> clients = new ArrayList<>(clients(""));
            clients.addAll(clients("core"));
            clients.addAll(clients("both"));
            Eventually.that(
                    () -> listed(clients.getFirst(), "resources/list", "resources", "uri")
                            .contains("test://two__static-text"),
                    () -> "it is listed");
            for (McpTestClient client : clients) {
                sameResourcesOf(client, other);
            }
            for (McpTestClient client : clients("alone")) {
                List<String> uris = listed(client, "resources/list", "resources", "uri");
                assertTrue(uris.contains("test://static-text"), uris::toString);
                assertFalse(uris.contains("test://two__static-text"), uris::toString);
            }
            for (McpTestClient client : List.of(gateway.modern("both"), gateway.legacy())) {
                List<String> pages = new ArrayList<>();
                client.tools().stream()
                        .map(tool -> tool.at("/_meta/ui/resourceUri").asText())
                        .filter(uri -> !uri.isEmpty())
                        .sorted()
                        .forEach(pages::add);
                assertEquals(List.of("ui://app/chart.html", "ui://two__app/chart.html"), pages);
                assertEquals("ui://app/chart.html", uriAsked(client, "ui://two__app/chart.html", other));
                assertEquals("ui://app/chart.html", uriAsked(client, "ui://app/chart.html", fixture));
            }
        }
    }

    private void sameResourcesOf(McpTestClient client, FixtureServer other) {
        List<String> uris = listed(client, "resources/list", "resources", "uri");
        assertTrue(uris.containsAll(List.of("test://static-text", "test://two__static-text")), uris::toString);
        List<String> templates = listed(client, "resources/templates/list", "resourceTemplates", "uriTemplate");
        assertTrue(
                templates.containsAll(List.of("test://template/{id}/data", "test://two__template/{id}/data")),
                templates::toString);
        assertEquals("test://static-text", uriAsked(client, "test://static-text", fixture));
        assertEquals("test://static-text", uriAsked(client, "test://two__static-text", other));
        assertEquals("test://template/7/data", uriAsked(client, "test://two__template/7/data", other));
        assertEquals(
                "test://two__static-text",
                client.result("resources/read", Json.object().put("uri", "test://two__static-text"))
                        .at("/contents/0/uri")
                        .asText());
        ObjectNode completion = Json.object();
        completion.putObject("ref").put("type", "ref/resource").put("uri", "test://two__template/{id}/data");
        completion.putObject("argument").put("name", "id").put("value", "1");
        int before = other.received().size();
        client.request("completion/complete", completion);
        assertEquals(
                "test://template/{id}/data",
                asked(other, before, "completion/complete")
                        .at("/params/ref/uri")
                        .asText());
    }

    /** The one request of that method after the first {@code before} requests. */
    private static JsonNode asked(FixtureServer server, int before, String method) {
        List<JsonNode> requests = server
                .received()
                .subList(before, server.received().size())
                .stream()
                .filter(request -> request.path("method").asText().equals(method))
                .toList();
        assertEquals(1, requests.size(), requests::toString);
        return requests.getFirst();
    }

    /** The URI that {@code server}, and no other one, is asked for when {@code uri} is read. */
    private String uriAsked(McpTestClient client, String uri, FixtureServer server) {
        int before = server.received().size();
        client.request("resources/read", Json.object().put("uri", uri));
        return asked(server, before, "resources/read").at("/params/uri").asText();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void aForgottenSessionAChangedListAndARestartGoUnnoticed(Era era) {
        start(era);
        McpTestClient client = gateway.modern("fixture");
        fixture.forgetSessions();
        assertFalse(client.call("test_simple_text", Json.object()).isError());

        fixture.listTools(list -> {
            ((ArrayNode) list.path("tools"))
                    .addObject()
                    .put("name", "late")
                    .put("description", "It came later.")
                    .putObject("inputSchema")
                    .put("type", "object");
            return list;
        });
        Eventually.that(
                () -> {
                    fixture.changed("tools");
                    return client.toolNames().contains("late");
                },
                () -> "the new tool was never listed");

        int port = fixture.url().getPort();
        fixture.close();
        assertEquals(
                "UNAVAILABLE", client.call("test_simple_text", Json.object()).errorKind());
        assertTrue(client.toolNames().contains("test_simple_text"));
        fixture = new FixtureServer(era, port);
        Eventually.that(() -> !client.call("test_simple_text", Json.object()).isError(), () -> "it stayed away");
    }
}
