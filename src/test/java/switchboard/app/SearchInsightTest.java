package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import switchboard.app.command.InsightCommand;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The search log of a gateway with four teams, seen by agents over MCP and by an operator with its commands. */
class SearchInsightTest {
    private static final List<String> TEAMS = List.of("full", "hash", "none", "unnamed");
    private static final String QUERY = "What carries grain on the river?";

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = TEAMS.stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private final HandClock clock = HandClock.ticking(Instant.now());
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                TEAMS.stream()
                        .map(team ->
                                "  %s: {keys: [{id: %s-key, sha256: %s}], grants: [\"switchboard:search,read\", \"vectordb:*\"]}\n"
                                        .formatted(team, team, keys.get(team).sha256()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        String yaml = """
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    full: {}
                    hash: {queries: hash}
                    none: {queries: none, keepFor: 2h}
                backends:
                  vectordb: {type: vectordb}
                """;
        // Only the command that groups questions needs the model.
        Files.writeString(
                folder.resolve("switchboard.yaml"), yaml.replace("embedders: {default: {provider: none}}\n", ""));
        gateway = TestGateway.start(yaml, folder, clock);
        for (String text :
                List.of("A barge carries grain on the river.", "The river has a bridge.", "A crane lifts.")) {
            ToolResult stored = client("full")
                    .call("ingest_text", Json.object().put("content", text).put("source", text.substring(0, 7)));
            assertFalse(stored.isError(), stored::toString);
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private McpTestClient client(String team) {
        return gateway.modern().with("Authorization", "Bearer " + keys.get(team).text());
    }

    private static JsonNode search(McpTestClient client, ObjectNode arguments) {
        ToolResult found = client.call("search_everywhere", arguments);
        assertFalse(found.isError(), found::toString);
        return found.structured();
    }

    private List<JsonNode> lines(String team) {
        List<JsonNode> lines = new ArrayList<>();
        try {
            new InsightFolder(folder).read(team, lines::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private List<JsonNode> lines(String team, int count) {
        return Eventually.first(() -> lines(team), lines -> lines.size() == count);
    }

    private String everythingOnTheDisk() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("insight"))) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> path.toString().endsWith(".jsonl"))
                    .toList()) {
                all.append(file).append('\n').append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private String command(String... arguments) {
        StringWriter out = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + folder.resolve("switchboard.yaml"));
        all.add("--data=" + folder);
        int code = new CommandLine(new InsightCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(all.toArray(String[]::new));
        assertEquals(0, code, out::toString);
        return out.toString();
    }

    @Test
    void aSearchAndWhatIsReadAfterItAreLogged() {
        McpTestClient agent = client("full");
        JsonNode found = search(agent, Json.object().put("query", QUERY).put("min_relevance", 0.0001));
        assertTrue(found.path("results").size() >= 2, found::toString);
        String second = found.at("/results/1/address").asText();
        assertFalse(agent.call("fetch_document", Json.object().put("address", second))
                .isError());
        List<JsonNode> lines = lines("full", 2);

        JsonNode logged = lines.getFirst();
        assertEquals("search", logged.path("event").asText());
        assertEquals(QUERY, logged.path("query").asText());
        assertEquals("full", logged.path("team").asText());
        assertEquals("full-key", logged.path("key").asText());
        assertEquals(0.0001, logged.path("min_relevance").asDouble());
        assertEquals(found.path("results").size(), logged.path("hits").size());
        for (int i = 0; i < found.path("results").size(); i++) {
            JsonNode hit = found.path("results").get(i);
            JsonNode kept = logged.path("hits").get(i);
            assertEquals(hit.path("address"), kept.path("address"));
            assertEquals(hit.path("source"), kept.path("source"));
            assertEquals(hit.path("score"), kept.path("score"));
            assertEquals(hit.path("relevance"), kept.path("relevance"));
            assertEquals(i + 1, kept.path("position").asInt());
        }
        assertEquals(found.at("/sources/0/status"), logged.at("/sources/0/status"));
        assertFalse(logged.toString().contains("barge"), "texts of documents are not kept");

        JsonNode used = lines.get(1);
        assertEquals("fetched", used.path("event").asText());
        assertEquals(logged.path("id"), used.path("search"));
        assertEquals(second, used.path("address").asText());
        assertEquals(2, used.path("position").asInt());
    }

    @Test
    void theBudgetDecidesWhatWasGiven() {
        McpTestClient agent = client("full");
        JsonNode found = search(agent, Json.object().put("query", "river").put("budget_tokens", 150));
        JsonNode logged = lines("full", 1).getFirst();
        assertEquals(150, logged.path("budget_tokens").asInt());
        assertEquals(found.path("results").size(), logged.path("hits").size());
        search(agent, Json.object().put("query", "river").put("skip_results", 1));
        JsonNode rest = lines("full", 2).get(1);
        assertEquals(1, rest.path("skipped").asInt());
        assertEquals(2, rest.at("/hits/0/position").asInt());
        assertFalse(rest.has("after"), "the same question is no other one");
        assertEquals(logged.path("id"), rest.path("rest_of"));
    }

    /** A link would tell which of these queries are equal. */
    @Test
    void whereQueriesAreNotKeptNoLinkTellsOfThem() {
        McpTestClient agent = client("none");
        search(agent, Json.object().put("query", "river"));
        search(agent, Json.object().put("query", "river").put("skip_results", 1));
        search(agent, Json.object().put("query", "bridge"));
        List<JsonNode> lines = lines("none", 3);
        assertEquals(
                List.of(0, 1, 0),
                lines.stream().map(line -> line.path("skipped").asInt()).toList());
        assertFalse(lines.stream().anyMatch(line -> line.has("after") || line.has("rest_of")), lines::toString);
        search(client("hash"), Json.object().put("query", "river"));
        search(client("hash"), Json.object().put("query", "river").put("skip_results", 1));
        lines = lines("hash", 2);
        assertEquals(lines.get(0).path("id"), lines.get(1).path("rest_of"));
    }

    @Test
    void anotherQuestionFollowsTheOneBeforeUnlessItIsLongAgo() {
        McpTestClient agent = client("full");
        search(agent, Json.object().put("query", "river"));
        search(agent, Json.object().put("query", "bridge over the river"));
        clock.forward(Duration.ofMinutes(11));
        JsonNode late = search(agent, Json.object().put("query", "crane"));
        List<JsonNode> lines = lines("full", 3);
        assertFalse(lines.get(0).has("after"));
        assertEquals(lines.get(0).path("id"), lines.get(1).path("after"));
        assertFalse(lines.get(2).has("after"));

        clock.forward(Duration.ofMinutes(11));
        String address = late.at("/results/0/address").asText();
        agent.call("fetch_document", Json.object().put("address", address));
        search(agent, Json.object().put("query", "crane"));
        client("hash").call("fetch_document", Json.object().put("address", address));
        agent.call("fetch_document", Json.object().put("address", address));
        lines = lines("full", 5);
        assertEquals(lines.get(3).path("id"), lines.get(4).path("search"), "what was read late belongs to no search");
        assertEquals(List.of(), lines("hash"), "what another key reads neither");
    }

    @Test
    void nothingIsKeptOfATeamThatIsNotNamedAndOnlyWhatIsChosenOfQueries() throws IOException {
        for (String team : TEAMS) {
            search(client(team), Json.object().put("query", QUERY));
            search(client(team), Json.object().put("query", QUERY));
        }
        JsonNode unlogged = client("full")
                .request(
                        "tools/call",
                        (ObjectNode) Json.object()
                                .put("name", "search_everywhere")
                                .set("arguments", Json.object().put("query", "unlogged question")),
                        Json.object().put("switchboard/unlogged", true))
                .json();
        assertTrue(unlogged.path("result").path("structuredContent").has("results"), unlogged::toString);
        List<JsonNode> hashed = lines("hash", 2);
        assertEquals(hashed.get(0).path("query_hash"), hashed.get(1).path("query_hash"));
        assertEquals(32, hashed.get(0).path("query_hash").asText().length());
        assertFalse(lines("none", 2).getFirst().has("query_hash"));
        search(client("full"), Json.object().put("query", "the last question"));
        assertEquals("the last question", lines("full", 3).get(2).path("query").asText());
        String disk = everythingOnTheDisk();
        assertFalse(disk.contains("unnamed"), disk);
        assertFalse(disk.contains("unlogged"), disk);
        assertEquals(2, disk.split("carries grain", -1).length - 1, "only the team with full text has it");
        for (ApiKey key : keys.values()) {
            assertFalse(disk.contains(key.text()), "a key is in the log");
        }
    }

    @Test
    void theCommandsExportAndForgetWhileTheGatewayRuns() throws IOException {
        McpTestClient agent = client("full");
        String address = search(agent, Json.object().put("query", QUERY))
                .at("/results/0/address")
                .asText();
        agent.call("fetch_document", Json.object().put("address", address));
        search(client("hash"), Json.object().put("query", QUERY));
        lines("full", 2);
        lines("hash", 1);

        assertEquals(3, command("export").lines().count());
        assertEquals(2, command("export", "--team=full").lines().count());
        Path judged = folder.resolve("judged");
        assertEquals(
                "1 judgments of 1 queries are in " + judged + ".",
                command("export", "--team=full", "--beir=" + judged).strip());
        assertTrue(Files.readString(judged.resolve("qrels.tsv")).endsWith("\t" + address + "\t1\n"));
        assertEquals(
                QUERY,
                Json.parse(Files.readString(judged.resolve("queries.jsonl")))
                        .path("text")
                        .asText());

        command("forget", "--document=" + address);
        assertFalse(everythingOnTheDisk().contains(address));
        assertEquals(1, lines("full").size());
        agent.call("fetch_document", Json.object().put("address", address));
        command("forget", "--team=full");
        assertEquals(List.of(), lines("full"));
        assertEquals(1, lines("hash").size());
        assertFalse(everythingOnTheDisk().contains("grain"));
        clock.forward(Duration.ofDays(1));
        search(agent, Json.object().put("query", "bridge"));
        assertEquals("bridge", lines("full", 1).getFirst().path("query").asText());
    }

    @Test
    void itSurvivesAStopAndWhatIsTooOldIsGoneAtTheNextStart() {
        search(client("none"), Json.object().put("query", QUERY));
        search(client("full"), Json.object().put("query", QUERY));
        gateway.restart();
        lines("none", 1);
        clock.forward(Duration.ofHours(3));
        gateway.restart();
        Eventually.that(() -> lines("none").isEmpty(), () -> "the old search is gone");
        assertEquals(1, lines("full").size());
    }

    @Test
    void theCommandGroupsWhatWasNotFoundByMeaning() {
        McpTestClient agent = client("full");
        List<String> open = List.of(
                "How many days of parental leave does a father get?",
                "parental leave for fathers, how long is it",
                "Can I connect to the VPN with my phone?",
                "VPN access from a mobile phone",
                "What does the canteen serve on Friday?");
        open.forEach(query -> search(agent, Json.object().put("query", query).put("min_relevance", 0.99)));
        search(agent, Json.object().put("query", "barge carries grain on the river"));
        lines("full", 6);
        String report = command("gaps", "--team=full");
        assertTrue(report.startsWith("5 of 6 searches gave nothing relevant"), report);
        assertEquals(
                List.of("2 x", "2 x", "1 x"),
                report.lines()
                        .filter(line -> line.matches("\\d+ x .*"))
                        .map(line -> line.substring(0, 3))
                        .toList(),
                report);
        assertTrue(command("gaps", "--team=none").startsWith("No search was logged"));
    }
}
