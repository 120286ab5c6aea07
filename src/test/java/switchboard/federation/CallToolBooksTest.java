package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * Two teams with the same rights and limits make the same calls, one by the tools' names, the other through {@code
 * call_tool}: answers, refusals, what is taken out of them and what the trail and the metrics say are the same.
 */
class CallToolBooksTest {
    private static final List<Map.Entry<String, String>> CALLS = List.of(
            Map.entry(
                    "ingest_text",
                    "{\"content\":\"order ACME-4711 of ann@example.org\",\"source\":\"s\",\"library\":\"LIBRARY\"}"),
            Map.entry("search", "{\"query\":\"order\",\"library\":\"LIBRARY\"}"),
            Map.entry("search", "{\"query\":\"order\",\"library\":\"secret\"}"),
            Map.entry("search", "{\"query\":7}"),
            Map.entry("search", "{\"query\":\"order\",\"nonsense\":true}"),
            Map.entry("list_libraries", "{}"),
            Map.entry("list_libraries", "{}"));

    private final ApiKey direct = ApiKey.generate(new SecureRandom());
    private final ApiKey through = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    @Test
    void aCallThroughCallToolIsInNoBookOtherThanTheCallItself() throws IOException {
        StringBuilder teams = new StringBuilder("teams:\n");
        Map.of("direct", direct, "through", through)
                .forEach((team, key) -> teams.append("""
                  %1$s:
                    keys: [{id: %1$s1, sha256: %2$s}]
                    grants: ["vectordb:read,search,embed,create,update:%1$s-*", "switchboard:search"]
                    limits: {callsPerDay: 3}
                    redact: {arguments: ['ACME-\\d+'], results: [email]}
                """.formatted(team, key.sha256())));
        Files.writeString(folder.resolve("teams.yaml"), teams);
        try (TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {arguments: full}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder)) {
            List<String> answers = answers("direct", client(gateway, direct)::call);
            McpTestClient other = client(gateway, through);
            List<String> throughCallTool = answers("through", (name, arguments) -> {
                ObjectNode call = Json.object().put("name", name);
                call.set("arguments", arguments);
                return other.call("call_tool", call);
            });
            assertEquals(answers, throughCallTool);
            assertTrue(answers.get(1).contains("order [redacted] of [redacted]"), answers.get(1));
            assertTrue(answers.getLast().contains("OVERLOADED"), answers.getLast());

            Eventually.that(() -> trail().size() == 2 * CALLS.size(), () -> "all calls: " + trail());
            List<JsonNode> trail = trail();
            assertEquals(
                    trail.subList(0, CALLS.size()).stream()
                            .map(CallToolBooksTest::plain)
                            .toList(),
                    trail.subList(CALLS.size(), trail.size()).stream()
                            .map(CallToolBooksTest::plain)
                            .toList());
            assertFalse(trail.toString().contains("ACME"), trail::toString);
            String metrics = gateway.management("/metrics").body();
            for (String team : List.of("direct", "through")) {
                assertTrue(
                        metrics.contains(
                                "switchboard_team_limited_total{limit=\"team.callsPerDay\",team=\"" + team + "\"} 1.0"),
                        metrics);
            }
            assertFalse(metrics.contains("gen_ai_tool_name=\"call_tool\""), metrics);
        }
    }

    private static McpTestClient client(TestGateway gateway, ApiKey key) {
        return gateway.modern().with("Authorization", "Bearer " + key.text());
    }

    /** The answers to all calls, without what differs from team to team. */
    private static List<String> answers(String team, BiFunction<String, ObjectNode, ToolResult> calls) {
        List<String> answers = new ArrayList<>();
        for (Map.Entry<String, String> call : CALLS) {
            ObjectNode arguments = (ObjectNode) json(call.getValue().replace("LIBRARY", team + "-notes"));
            answers.add(calls.apply(call.getKey(), arguments)
                    .toString()
                    .replace(team + "-", "TEAM-")
                    .replaceAll("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
                    .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME")
                    .replaceAll("Try again in [0-9]+ ms", "LATER")
                    .replaceAll("(retryAfterMs\\\\?\":)[0-9]+", "LATER"));
        }
        return answers;
    }

    private List<JsonNode> trail() {
        return new GrowingFile(folder.resolve("data/audit/audit.jsonl"))
                .lines().stream().map(CallToolBooksTest::json).toList();
    }

    private static String plain(JsonNode line) {
        String team = line.path("team").asText();
        return ((ObjectNode) line.deepCopy())
                .without(List.of("time", "requestId", "traceId", "ms", "bytes"))
                .toString()
                .replace(team, "TEAM");
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
