package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * What a view leaves out is reached by no way in: every tool of the backend and every composed one, called directly and
 * through {@code call_tool}, every method about resources, every completion, every notice of a change, in both eras.
 */
class ViewsBoundResourcesTest {
    private static final List<String> COLLECTIONS = List.of("docs-a", "docs-b", "e-col");

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static final Map<String, String> ADDRESSES = new HashMap<>();

    @BeforeAll
    static void start() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root")).toRealPath();
        for (String name : COLLECTIONS) {
            Files.createDirectories(root.resolve(name));
            Files.writeString(root.resolve(name + "/p.md"), "# Heron " + secret(name) + "\n\nheron of the day");
        }
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  agentroot: {type: agentroot, roots: ['%s']}
                views:
                  pinned: {backends: [switchboard, agentroot], pinned: {agentroot__search: {collection: docs-a}}}
                  two:
                    backends: [switchboard, agentroot]
                    pinned: {agentroot__search: {collection: docs-a}, agentroot__query: {collection: docs-b, limit: 3}}
                  keyed: {backends: [switchboard, agentroot], resources: {agentroot: ["docs-*"]}}
                  both:
                    backends: [switchboard, agentroot]
                    pinned: {agentroot__search: {collection: docs-a}}
                    resources: {agentroot: ["docs-*"]}
                  alone: {backends: [switchboard], resources: {agentroot: ["docs-*"]}}
                  sources:
                    backends: [switchboard]
                    pinned: {switchboard__search_everywhere: {sources: ["agentroot:docs-b"]}}
                  other: {backends: [switchboard, agentroot], pinned: {agentroot__search: {limit: 3}}}
                  said:
                    backends: [switchboard, agentroot]
                    pinned: {agentroot__search: {limit: 3}}
                    resources: {agentroot: ["*"]}
                """.formatted(root), folder.resolve("data"));
        McpTestClient operator = gateway.modern();
        for (String name : COLLECTIONS) {
            ObjectNode add = Json.object()
                    .put("name", name)
                    .put("path", root.resolve(name).toString());
            assertFalse(operator.call("collection_add", add).isError());
            ToolResult updated =
                    operator.call("collection_update", Json.object().put("name", name));
            assertFalse(updated.isError(), updated.toString());
        }
        for (JsonNode hit : operator.call("search_everywhere", "{\"query\":\"heron\"}")
                .structured()
                .findValues("address")) {
            COLLECTIONS.stream()
                    .filter(name -> hit.asText().contains("/" + name + "/"))
                    .forEach(name -> ADDRESSES.put(name, hit.asText()));
        }
        assertEquals(Set.copyOf(COLLECTIONS), ADDRESSES.keySet());
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String secret(String collection) {
        return "zq" + collection.replace("-", "") + "zq";
    }

    /** {@code tools}: what the view's own tools may show; {@code others}: what everything else may. */
    @ParameterizedTest
    @CsvSource({
        "pinned, docs-a, docs-a",
        "two, docs-a docs-b, docs-a docs-b",
        "keyed, docs-a docs-b, docs-a docs-b",
        "both, docs-a docs-b, docs-a docs-b",
        "alone, '', docs-a docs-b",
        "sources, '', docs-b",
        "other, docs-a docs-b e-col, ''",
        "said, docs-a docs-b e-col, docs-a docs-b e-col",
        "agentroot, docs-a docs-b e-col, docs-a docs-b e-col",
    })
    void noWayInLeadsFurther(String view, String tools, String others) {
        for (McpTestClient client : List.of(gateway.modern(view), gateway.legacy(view))) {
            Map<String, String> byTools = new HashMap<>();
            Map<String, String> byOthers = new HashMap<>();
            for (JsonNode tool : client.tools()) {
                String name = tool.path("name").asText();
                boolean composed = Set.of("search_everywhere", "list_sources", "fetch_document")
                        .contains(name);
                calls(client, tool, named(tools))
                        .forEach((call, reply) -> (composed ? byOthers : byTools).put(call, reply.body()));
            }
            requests()
                    .forEach((request, params) -> byOthers.put(
                            request,
                            client.request(request.split(" ", 2)[0], params).body()));
            assertEquals(named(tools), shown(byTools, named(tools)), view + ": tools");
            assertEquals(named(others), shown(byOthers, named(others)), view + ": everything else");
        }
        McpTestClient operator = gateway.modern("agentroot");
        assertEquals(
                COLLECTIONS,
                operator.call("status", "{}").structured().path("collections").findValues("name").stream()
                        .map(JsonNode::asText)
                        .sorted()
                        .toList(),
                "and nothing was changed");
    }

    private static Set<String> named(String names) {
        return names.isEmpty() ? Set.of() : Set.of(names.split(" "));
    }

    /** Of which collections {@code replies} tell anything; one that must not be told of fails with its request. */
    private static Set<String> shown(Map<String, String> replies, Set<String> allowed) {
        Set<String> shown = new HashSet<>();
        replies.forEach((request, body) -> {
            for (String name : COLLECTIONS) {
                // What a request itself says comes back in errors.
                if (body.contains(secret(name)) || (body.contains(name) && !request.contains(name))) {
                    shown.add(name);
                    assertTrue(allowed.contains(name), () -> request + " tells of " + name + ": " + body);
                }
            }
        });
        return shown;
    }

    /** Calls with every way to name a document: of collections that may be changed nothing is asked that changes. */
    private static Map<String, HttpReply> calls(McpTestClient client, JsonNode tool, Set<String> allowed) {
        Map<String, HttpReply> replies = new HashMap<>();
        String name = tool.path("name").asText();
        boolean reads = tool.path("annotations").path("readOnlyHint").asBoolean();
        if (name.equals("call_tool") || name.startsWith("session_") || name.startsWith("memory_")) {
            return replies; // the first is used for all others; the rest have no collections
        }
        for (String collection : COLLECTIONS) {
            for (boolean optional : new boolean[] {false, true}) {
                if (!reads && allowed.contains(collection)) {
                    continue;
                }
                ObjectNode arguments = arguments(tool.path("inputSchema"), collection, optional);
                ObjectNode params = Json.object().put("name", name);
                params.set("arguments", arguments);
                replies.put(params.toString(), client.request("tools/call", params));
                ObjectNode through = Json.object().put("name", "call_tool");
                through.set("arguments", params.deepCopy());
                replies.put(through.toString(), client.request("tools/call", through));
            }
        }
        return replies;
    }

    private static ObjectNode arguments(JsonNode schema, String collection, boolean optional) {
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(argument -> required.add(argument.asText()));
        ObjectNode arguments = Json.object();
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            boolean names = Set.of("collection", "name", "sources").contains(name);
            if (required.contains(name) || (optional && names)) {
                arguments.set(name, value(name, property.getValue(), collection));
            }
        });
        return arguments;
    }

    private static JsonNode value(String name, JsonNode schema, String collection) {
        ObjectNode holder = Json.object();
        switch (name) {
            case "collection", "name" -> holder.put("value", collection);
            case "sources" -> holder.putArray("value").add("agentroot:" + collection);
            case "address" -> holder.put("value", ADDRESSES.get(collection));
            case "pattern" -> holder.put("value", collection + "/*");
            case "query", "task" -> holder.put("value", "heron");
            case "queries" ->
                holder.putArray("value").addObject().put("query", "heron").put("collection", collection);
            default -> {
                if (schema.path("type").asText().equals("integer")) {
                    holder.put("value", 0);
                } else if (schema.path("type").asText().equals("array")) {
                    holder.putArray("value").add(collection + "/p.md");
                } else if (schema.path("type").asText().equals("object")) {
                    holder.putObject("value");
                } else {
                    holder.put("value", collection + "/p.md");
                }
            }
        }
        return holder.path("value");
    }

    /** All other requests, by method and what makes them different. */
    private static Map<String, ObjectNode> requests() {
        Map<String, ObjectNode> requests = new HashMap<>();
        requests.put("resources/list", Json.object());
        requests.put("resources/templates/list", Json.object());
        requests.put("prompts/list", Json.object());
        for (String prompt : List.of("search_and_cite", "compare_sources", "explore_collection")) {
            ObjectNode ref = Json.object().put("type", "ref/prompt").put("name", prompt);
            requests.put("completion/complete " + prompt, completion(ref, "source", ""));
        }
        ObjectNode any = Json.object().put("type", "ref/resource").put("uri", "agentroot://{collection}/{+path}");
        requests.put("completion/complete collection", completion(any, "collection", ""));
        for (String name : COLLECTIONS) {
            for (String uri : List.of("agentroot://" + name + "/p.md", "agentroot://docs-a/../" + name + "/p.md")) {
                requests.put("resources/read " + uri, Json.object().put("uri", uri));
            }
            ObjectNode ref = Json.object().put("type", "ref/resource").put("uri", "agentroot://" + name + "/{+path}");
            requests.put("completion/complete " + name, completion(ref, "path", ""));
        }
        return requests;
    }

    private static ObjectNode completion(ObjectNode ref, String argument, String value) {
        ObjectNode params = Json.object();
        params.set("ref", ref);
        params.putObject("argument").put("name", argument).put("value", value);
        return params;
    }

    @ParameterizedTest
    @CsvSource({"keyed, 1", "other, 0", "agentroot, 1"})
    void pathsOfOtherCollectionsAreNotCompleted(String view, int inside) {
        Map<String, Integer> expected = new HashMap<>(Map.of("docs-a", inside, "e-col", inside));
        if (view.equals("keyed")) {
            expected.put("e-col", 0);
        }
        expected.forEach((name, count) -> {
            ObjectNode ref = Json.object().put("type", "ref/resource").put("uri", "agentroot://" + name + "/{+path}");
            JsonNode found = gateway.modern(view).result("completion/complete", completion(ref, "path", ""));
            assertEquals(count, found.path("completion").path("values").size(), view + " " + name);
        });
    }

    @Test
    void changesOfOtherCollectionsAreNotTold() throws IOException {
        McpTestClient operator = gateway.modern("agentroot");
        McpTestClient session = gateway.legacy("keyed");
        for (String name : COLLECTIONS) {
            session.request("resources/subscribe", Json.object().put("uri", "agentroot://" + name + "/p.md"));
        }
        try (RawHttp stream = new RawHttp(gateway.url().getPort())) {
            stream.get(
                            "/mcp/keyed",
                            "Mcp-Session-Id: " + session.session()
                                    + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                    .readUntil("text/event-stream");
            for (String name : List.of("e-col", "docs-b")) {
                Files.writeString(folder.resolve("root/" + name + "/q.md"), "another heron");
                operator.call("collection_update", Json.object().put("name", name));
            }
            String told = stream.readUntil("p.md");
            assertTrue(told.contains("agentroot://docs-b/p.md"), told);
            assertEquals(2, told.split("resources/list_changed", -1).length, told);
            assertFalse(told.contains("e-col"), told);
        } finally {
            for (String name : List.of("e-col", "docs-b")) {
                Files.deleteIfExists(folder.resolve("root/" + name + "/q.md"));
                operator.call("collection_update", Json.object().put("name", name));
            }
        }
    }
}
