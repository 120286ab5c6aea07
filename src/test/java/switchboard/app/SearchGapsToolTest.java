package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.TwoForms;

/** Operators ask over MCP what was searched and not found. */
class SearchGapsToolTest {
    private static final String TOOL = "search_gaps";
    private static final String GRAIN = "A barge carries grain on the river.";
    private static final Map<String, String> GRANTS = Map.of(
            "ops", "\"switchboard:admin\"",
            "narrow", "\"switchboard:admin:vectordb:hr-*\"",
            "boss", "\"*:*\"",
            "docs", "\"vectordb:*\", \"switchboard:read\"",
            "sales", "\"*:read,search,create,update,embed\"",
            "legal", "\"*:read,search\"",
            "quiet", "\"*:read,search\"");

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = GRANTS.keySet().stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private final HandClock clock = HandClock.ticking(Instant.parse("2026-11-25T10:00:00Z"));
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                GRANTS.entrySet().stream()
                        .map(team -> "  %1$s: {keys: [{id: %1$s, sha256: %2$s}], grants: [%3$s]}\n"
                                .formatted(
                                        team.getKey(), keys.get(team.getKey()).sha256(), team.getValue()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                insight: {teams: {sales: {}, legal: {queries: hash}}}
                backends: {vectordb: {type: vectordb}}
                views: {some: {backends: [vectordb, switchboard], resources: {vectordb: [hr-*]}}}
                """, folder, clock);
        ToolResult stored = client("sales")
                .call("ingest_text", Json.object().put("content", GRAIN).put("source", "barge"));
        assertFalse(stored.isError(), stored::toString);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private McpTestClient client(String team) {
        return as(gateway.modern(), team);
    }

    private McpTestClient as(McpTestClient client, String team) {
        return client.with("Authorization", "Bearer " + keys.get(team).text());
    }

    /** Searches that have been logged when this returns. */
    private void searched(String team, String... queries) {
        int before = lines(team);
        for (String query : queries) {
            ToolResult found =
                    client(team).call("search_everywhere", Json.object().put("query", query));
            assertFalse(found.isError(), found::toString);
        }
        Eventually.that(() -> lines(team) == before + queries.length, () -> lines(team) + " lines of " + team);
    }

    private int lines(String team) {
        List<JsonNode> lines = new ArrayList<>();
        try {
            new InsightFolder(folder).read(team, lines::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.size();
    }

    private JsonNode gaps(ObjectNode arguments) {
        ToolResult answer = client("ops").call(TOOL, arguments);
        assertFalse(answer.isError(), answer::toString);
        TwoForms.check(TOOL, answer.result());
        return answer.structured();
    }

    @Test
    void anOperatorSeesWhatNobodyFound() {
        searched("sales", "parental leave", "Parental  leave", "canteen", GRAIN);
        clock.forward(Duration.ofDays(5));
        searched("sales", "parental leave");
        searched("legal", "a secret");

        JsonNode report = gaps(Json.object());
        assertEquals(6, report.path("searches").asInt(), report::toString);
        assertEquals(5, report.path("unanswered").asInt(), report::toString);
        assertEquals(1, report.path("without_text").asInt(), report::toString);
        assertFalse(report.has("note"), report::toString);
        assertEquals(2, report.path("groups").size(), report::toString);
        JsonNode leave = report.at("/groups/0");
        assertEquals(3, leave.path("count").asInt(), report::toString);
        assertEquals("parental leave", leave.at("/questions/0").asText());
        assertEquals("{\"2026-11-23\":2,\"2026-11-30\":1}", leave.path("weeks").toString());
        assertEquals("canteen", report.at("/groups/1/questions/0").asText());
        assertEquals(6, report.path("slow_questions").size(), report::toString);
        assertFalse(report.toString().contains("secret"), "its text is not kept");

        assertEquals(1, gaps(Json.object().put("limit", 1)).path("groups").size());
        assertEquals(2, gaps(Json.object().put("days", 1)).path("searches").asInt());
        assertEquals(
                1, gaps(Json.object().put("team", "legal")).path("searches").asInt());

        JsonNode half = client("sales")
                .call("search_everywhere", Json.object().put("query", "grain for the canteen"))
                .structured();
        double best = half.at("/results/0/relevance").asDouble();
        assertTrue(best > 0 && best < 0.99, half::toString);
        Eventually.that(() -> lines("sales") == 6, () -> lines("sales") + " lines");
        String least = "{\"team\": \"sales\", \"days\": 1, \"min_relevance\": %s}";
        assertEquals(1, unanswered(least.formatted(best)), "no less relevant than asked for");
        assertEquals(2, unanswered(least.formatted(best + 0.001)));
    }

    private int unanswered(String arguments) {
        ToolResult answer = client("ops").call(TOOL, arguments);
        assertFalse(answer.isError(), answer::toString);
        return answer.structured().path("unanswered").asInt();
    }

    @Test
    void theAnswerSaysIfNothingIsLogged() throws IOException {
        JsonNode quiet = gaps(Json.object().put("team", "quiet"));
        assertEquals(0, quiet.path("searches").asInt(), quiet::toString);
        assertTrue(quiet.path("note").asText().contains("insight.teams"), quiet::toString);
        assertFalse(gaps(Json.object().put("team", "sales")).has("note"));
        try (TestGateway alone = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """)) {
            ToolResult nobodys = alone.modern().call(TOOL, Json.object());
            assertFalse(nobodys.isError(), "without teams everybody is an operator");
            assertTrue(
                    nobodys.structured().path("note").asText().startsWith("Nobody's searches are logged"),
                    nobodys::toString);
        }
    }

    @Test
    void whoIsNoOperatorOfTheWholeGatewayLearnsNothing() {
        searched("sales", "parental leave");
        for (String team : List.of("docs", "sales", "legal")) {
            assertFalse(client(team).toolNames().contains(TOOL), team);
            ObjectNode call = Json.object().put("name", TOOL).set("arguments", Json.object());
            assertTrue(
                    client(team)
                            .request("tools/call", call)
                            .json()
                            .path("error")
                            .toString()
                            .contains("Unknown tool"),
                    team);
        }
        ToolResult some = client("narrow").call(TOOL, Json.object());
        assertEquals("DENIED", some.errorKind(), some::toString);
        try (McpTestClient view = as(gateway.modern("some"), "ops")) {
            ToolResult inView = view.call(TOOL, Json.object());
            assertEquals("DENIED", inView.errorKind(), inView::toString);
        }
        try (McpTestClient whole = as(gateway.modern("switchboard"), "ops")) {
            assertEquals(
                    1,
                    whole.call(TOOL, Json.object())
                            .structured()
                            .path("searches")
                            .asInt());
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        Map<String, String> wrong = Map.of(
                "days", "{\"days\": 366}",
                "min_relevance", "{\"min_relevance\": 1.5}",
                "limit", "{\"limit\": 0}",
                "team", "{\"team\": \"\"}");
        wrong.forEach((field, arguments) -> {
            ToolResult refused = client("ops").call(TOOL, arguments);
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), field);
            assertTrue(refused.text().contains(field), refused::toString);
        });
    }

    @Test
    void anOperatorSeesWhichDocumentsNobodyFound() {
        ToolResult stored = client("sales")
                .call(
                        "ingest_text",
                        Json.object()
                                .put("content", "Wigs of horsehair — für Richter.")
                                .put("source", "wigs"));
        assertFalse(stored.isError(), stored::toString);
        searched("sales", Collections.nCopies(9, "grain").toArray(String[]::new));
        clock.forward(Duration.ofDays(31));
        searched("sales", Collections.nCopies(9, "grain").toArray(String[]::new));
        assertEquals("[]", neverFound("boss", Json.object()).toString(), "asked nine times only");
        searched("sales", "grain");
        JsonNode never = neverFound("boss", Json.object());
        assertEquals(1, never.size(), never::toString);
        JsonNode source = never.get(0);
        assertEquals("vectordb:default", source.path("source").asText(), never::toString);
        assertEquals(2, source.path("documents").asInt(), never::toString);
        assertEquals(1, source.path("never_found").asInt(), never::toString);
        assertEquals(1, source.path("examples").size(), never::toString);
        ToolResult read = client("boss")
                .call(
                        "fetch_document",
                        Json.object()
                                .put("address", source.at("/examples/0/address").asText()));
        assertTrue(read.text().contains("horsehair"), read::toString);

        assertEquals("[]", neverFound("ops", Json.object()).toString(), "only what the operator may see, too");
        assertEquals(
                "[]", neverFound("boss", Json.object().put("team", "legal")).toString());
        searched("sales", "wigs");
        assertEquals("[]", neverFound("boss", Json.object()).toString());
        clock.forward(Duration.ofDays(5));
        searched("sales", Collections.nCopies(10, "grain").toArray(String[]::new));
        JsonNode lately = neverFound("boss", Json.object().put("days", 2));
        assertEquals(1, lately.size(), "what was found before that does not count");
        assertEquals(2, lately.get(0).path("documents").asInt(), lately::toString);
        client("sales")
                .call("ingest_text", Json.object().put("content", "Rafts.").put("source", "barge"));
        JsonNode edited = neverFound("boss", Json.object().put("days", 2));
        assertEquals(1, edited.get(0).path("documents").asInt(), "a new version was not there all the time");
        assertEquals(source.path("examples"), edited.get(0).path("examples"));
    }

    private JsonNode neverFound(String team, ObjectNode arguments) {
        ToolResult answer = client(team).call(TOOL, arguments);
        assertFalse(answer.isError(), answer::toString);
        TwoForms.check(TOOL, answer.result());
        return answer.structured().path("never_found");
    }

    @Test
    void operatorsHaveAPromptForIt() {
        ObjectNode get = Json.object().put("name", TOOL);
        get.putObject("arguments").put("team", " sales \"a ");
        String text = client("boss")
                .result("prompts/get", get)
                .at("/messages/0/content/text")
                .asText();
        assertTrue(text.contains("Call search_gaps with team \"sales \\\"a\"."), text);
        get.putObject("arguments");
        assertTrue(client("boss")
                .result("prompts/get", get)
                .at("/messages/0/content/text")
                .asText()
                .contains("Call search_gaps. "));
        for (String team : List.of("boss", "narrow", "docs", "sales")) {
            boolean offered = prompts(client(team)).contains(TOOL);
            assertEquals(team.equals("boss"), offered, team);
            assertEquals(
                    offered, !client(team).request("prompts/get", get).json().has("error"), team);
        }
        try (McpTestClient view = as(gateway.modern("some"), "boss")) {
            assertFalse(prompts(view).contains(TOOL), "in a view that hides sources");
        }
    }

    private static List<String> prompts(McpTestClient client) {
        return client.result("prompts/list", Json.object())
                .path("prompts")
                .valueStream()
                .map(prompt -> prompt.path("name").asText())
                .toList();
    }
}
