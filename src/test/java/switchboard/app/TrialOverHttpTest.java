package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.eval.PairedTest;
import switchboard.insight.InsightFolder;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PrintedCommand;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.WeightSearch;

/** A proposal that a team's searches try in service: as its agents, another team and an operator see it. */
class TrialOverHttpTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final int TOPICS = 16;
    private static final List<String> MAILS_FIRST = List.of("vectordb:mails", "vectordb:handbook");
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            audit: {to: file, file: audit.jsonl}
            console: {enabled: true}
            insight: {teams: {red: {}, green: {}, hashed: {queries: hash}}}
            backends:
              vectordb: {type: vectordb}
            """;

    private static final TuningProposal.JudgedReads READS = new TuningProposal.JudgedReads(100, 4);

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = new TreeMap<>();
    private final ApiKey operator = ApiKey.generate(new SecureRandom());
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        StringBuilder teams = new StringBuilder("teams:\n");
        for (String team : List.of("red", "green", "blue", "hashed")) {
            List<String> ids =
                    IntStream.range(0, 4).mapToObj(i -> team + "-" + i).toList();
            ids.forEach(id -> keys.put(id, ApiKey.generate(new SecureRandom())));
            teams.append("  %s: {keys: [%s], grants: [\"switchboard:search,read\", \"vectordb:*\"]}\n"
                    .formatted(
                            team,
                            ids.stream()
                                    .map(id -> "{id: %s, sha256: %s}"
                                            .formatted(id, keys.get(id).sha256()))
                                    .collect(Collectors.joining(", "))));
        }
        teams.append("  operators: {keys: [{id: o1, sha256: %s}], grants: [\"*:*\"]}\n".formatted(operator.sha256()));
        Files.writeString(folder.resolve("teams.yaml"), teams);
        Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        gateway = TestGateway.start(YAML, folder);
        for (int topic = 0; topic < TOPICS; topic++) {
            String word = topic(topic);
            for (int i = 0; i < 2; i++) {
                store("mails", word + " " + word + " " + word + " mail number" + i + " of " + word + "m");
                store(
                        "handbook",
                        "chapter" + i + " tells at length, and in many words, about " + word
                                + " and whatever else there is to say of " + word + "h in so large a house");
            }
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static String topic(int number) {
        return "topic" + (char) ('a' + number / 26) + (char) ('a' + number % 26) + "k"; // no ending of a word
    }

    private void store(String library, String text) {
        ToolResult stored = client("red-0")
                .call("ingest_text", Json.object().put("content", text).put("library", library));
        assertFalse(stored.isError(), stored::toString);
    }

    private McpTestClient client(String key) {
        return gateway.modern().with("Authorization", "Bearer " + keys.get(key).text());
    }

    private JsonNode search(String key, ObjectNode arguments) {
        ToolResult found = client(key).call("search_everywhere", arguments);
        assertFalse(found.isError(), found::toString);
        return found.structured();
    }

    private JsonNode search(String key, int topic) {
        return search(key, Json.object().put("query", topic(topic)));
    }

    private static List<String> all(JsonNode answer, String member) {
        return answer.path("results")
                .valueStream()
                .map(hit -> hit.path(member).asText())
                .toList();
    }

    private static boolean mixed(JsonNode answer) {
        return answer.path("interleaved").asBoolean();
    }

    private static boolean byScore(JsonNode answer) {
        List<Double> scores = answer.path("results")
                .valueStream()
                .map(hit -> hit.path("score").asDouble())
                .toList();
        return IntStream.range(1, scores.size()).allMatch(i -> scores.get(i - 1) >= scores.get(i));
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

    private String proposed(String team) throws IOException {
        WeightSearch.FoundWeights found = new WeightSearch.FoundWeights(
                RankingWeights.CONFIGURED,
                new RankingWeights(new TreeMap<>(Map.of("vectordb:handbook", 100.0)), null),
                new WeightSearch.Measured(70, 0.5, 0.6),
                new WeightSearch.Measured(30, 0.5, 0.6),
                20,
                new PairedTest(0.1, 0.05, 0.15, 0));
        return new TuningFolder(folder)
                .propose(team, found, READS, CONFIGURED, Instant.now())
                .id();
    }

    private PrintedCommand command(String... arguments) {
        return PrintedCommand.run(folder, arguments);
    }

    private static PrintedCommand says(int code, String words, PrintedCommand printed) {
        assertEquals(code, printed.code(), printed::toString);
        assertTrue(printed.text().contains(words), printed::toString);
        return printed;
    }

    private void begin(String team, String id) {
        says(
                0,
                "Proposal " + id + " is tried in 100 of 100 searches of " + team,
                command("tune", "try", "--team=" + team, "--percent=100", "--by=olga"));
        Eventually.that(() -> mixed(search(team + "-0", 0)), () -> "the trial does not begin");
    }

    private String audit() {
        try {
            return Files.readString(folder.resolve("audit.jsonl"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each agent of the team reads the best hit of a source for each topic. */
    private void read(String team, String source) {
        IntStream.range(0, 4).parallel().forEach(agent -> {
            for (int topic = 0; topic < TOPICS; topic++) {
                String address = search(team + "-" + agent, topic)
                        .path("results")
                        .valueStream()
                        .filter(hit -> hit.path("source").asText().equals(source))
                        .findFirst()
                        .orElseThrow()
                        .path("address")
                        .asText();
                client(team + "-" + agent).call("fetch_document", Json.object().put("address", address));
            }
        });
        Eventually.that(() -> fetched(team) == 4 * TOPICS, () -> fetched(team) + " documents were read");
    }

    private long fetched(String team) {
        return lines(team).stream()
                .filter(line -> line.path("event").asText().equals("fetched"))
                .count();
    }

    @Test
    void aTrialMixesTheTeamsSearchesUntilItsProposalIsApproved() throws IOException {
        String id = proposed("red");
        JsonNode before = search("red-1", 0);
        assertEquals(MAILS_FIRST.getFirst(), all(before, "source").getFirst());
        assertTrue(byScore(before) && !before.has("interleaved"), before::toString);
        proposed("blue");
        new TuningFolder(folder)
                .begin(new TuningFolder.TrialPlan("blue", null, 1, Duration.ofDays(1)), "by hand", Instant.now());
        begin("red", id);

        List<JsonNode> answers = IntStream.range(0, TOPICS)
                .mapToObj(topic -> search("red-1", topic))
                .toList();
        assertTrue(answers.stream().allMatch(TrialOverHttpTest::mixed));
        assertTrue(answers.stream().anyMatch(answer -> !byScore(answer)));
        assertEquals(
                new HashSet<>(MAILS_FIRST),
                answers.stream().map(answer -> all(answer, "source").getFirst()).collect(Collectors.toSet()),
                "the coin is not always the same");
        JsonNode mixed = answers.getFirst();
        assertEquals(scores(before), scores(mixed), "the same hits with the scores of the ranking in use");
        assertEquals(all(mixed, "address"), all(search("red-1", 0), "address"), "who asks again is shown the same");
        pages("red-1");
        untouched();
        for (int topic = 1; topic < TOPICS; topic++) {
            logged(topic, answers.get(topic));
        }

        gateway.close();
        gateway = TestGateway.start(YAML, folder);
        assertEquals(all(mixed, "address"), all(search("red-1", 0), "address"), "a restart changes nothing");
        read("red", "vectordb:handbook");
        says(0, "of the queries the proposal has won 16, what is in use 0", command("tune", "list", "--team=red"));
        shownInTheConsole(id);
        PrintedCommand listed = says(0, "the proposal is better", command("tune", "list", "--team=red"));
        assertTrue(listed.text().contains("trying " + id + " in 100 of 100 searches since "), listed::toString);
        says(1, "is tried until", command("tune", "try", "--team=red"));
        says(0, "Its trial: ", command("tune", "approve", id, "--by=otto"));
        Eventually.that(
                () -> !search("red-1", 0).has("interleaved")
                        && all(search("red-1", 0), "source").getFirst().equals("vectordb:handbook"),
                () -> "the trial goes on");
        assertTrue(command("tune", "list", "--team=red").text().contains("tried " + id));
        String audit = Eventually.first(this::audit, text -> text.contains("tuning/try_end"));
        assertTrue(audit.contains("\"tuning/try\"") && audit.contains("olga"), audit);
        assertTrue(audit.contains("\"tuning/approve\"") && audit.contains("otto"), audit);
    }

    /** The same figures as the command has them. */
    private void shownInTheConsole(String id) {
        try (ConsoleClient console =
                new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            assertEquals(200, console.signIn(operator.text()).status());
            JsonNode trial = console.get("api/v1/tuning")
                    .json()
                    .path("teams")
                    .valueStream()
                    .filter(team -> team.path("team").asText().equals("red"))
                    .findFirst()
                    .orElseThrow()
                    .path("trial");
            assertEquals(id, trial.path("proposal").asText(), trial::toString);
            assertEquals(1.0, trial.path("share").asDouble());
            JsonNode outcome = trial.path("outcome");
            assertEquals(TOPICS, outcome.path("won").asInt(), trial::toString);
            assertEquals(0, outcome.path("lost").asInt());
            assertEquals(4, outcome.path("keys").asInt());
            assertTrue(outcome.path("searches").asInt() >= 4 * TOPICS, trial::toString);
            assertEquals("better", outcome.path("verdict").asText());
            assertEquals("the proposal is better", outcome.path("conclusion").asText());
        }
    }

    private static Map<String, Double> scores(JsonNode answer) {
        Map<String, Double> scores = new TreeMap<>();
        answer.path("results")
                .forEach(hit -> scores.put(
                        hit.path("address").asText(), hit.path("score").asDouble()));
        return scores;
    }

    /** Answers in parts are those of one whole answer. */
    private void pages(String key) {
        for (int topic = 0; topic < TOPICS; topic++) {
            List<String> whole = all(search(key, topic), "address");
            assertEquals(4, whole.size());
            for (int skip = 1; skip < 4; skip++) {
                JsonNode rest =
                        search(key, Json.object().put("query", topic(topic)).put("skip_results", skip));
                assertEquals(whole.subList(skip, 4), all(rest, "address"));
                assertTrue(mixed(rest), rest::toString);
            }
            List<String> parts = new ArrayList<>();
            ObjectNode next = Json.object().put("budget_tokens", 250);
            while (!next.isEmpty()) {
                JsonNode part =
                        search(key, Json.object().put("query", topic(topic)).setAll(next));
                assertTrue(mixed(part), part::toString);
                int full = all(part, "address").size()
                        - part.at("/truncated/shortened").asInt();
                parts.addAll(all(part, "address").subList(0, full));
                next = part.path("truncated").path("next") instanceof ObjectNode more
                        ? more.put("budget_tokens", more.path("budget_tokens").asInt(250))
                        : Json.object();
            }
            assertEquals(whole, parts, "nothing twice, and nothing lost");
        }
    }

    /** Other teams, and calls that are not for the log or say how to rank. */
    private void untouched() {
        for (int topic = 0; topic < TOPICS; topic++) {
            for (String other : List.of("blue-1", "green-1", "hashed-1")) {
                JsonNode answer = search(other, topic);
                assertTrue(byScore(answer) && !answer.has("interleaved"), answer::toString);
            }
        }
        ObjectNode query = Json.object().put("query", topic(0));
        for (ObjectNode own : List.of(
                query.deepCopy().put("explain", true),
                query.deepCopy().put("fusion", "linear"),
                query.deepCopy().set("weights", Json.object().put("vectordb", 1)))) {
            JsonNode answer = search("red-1", own);
            assertTrue(byScore(answer) && !answer.has("interleaved"), answer::toString);
        }
        JsonNode unlogged = client("red-1")
                .request(
                        "tools/call",
                        (ObjectNode)
                                Json.object().put("name", "search_everywhere").set("arguments", query),
                        Json.object().put("switchboard/unlogged", true))
                .json()
                .at("/result/structuredContent");
        assertTrue(unlogged.has("results") && byScore(unlogged) && !unlogged.has("interleaved"), unlogged::toString);
        assertEquals(
                List.of(),
                lines("green").stream().filter(line -> line.has("trial")).toList());
        assertEquals(List.of(), lines("blue"));
    }

    private void logged(int topic, JsonNode answer) {
        List<JsonNode> searched = Eventually.first(
                () -> lines("red").stream()
                        .filter(line -> line.path("query").asText().equals(topic(topic))
                                && line.path("key").asText().equals("red-1"))
                        .toList(),
                found -> !found.isEmpty());
        for (JsonNode line : searched) {
            assertEquals(8, line.path("trial").asText().length(), line::toString);
            for (JsonNode hit : line.path("hits")) {
                boolean mail = hit.path("source").asText().equals("vectordb:mails");
                assertEquals(mail ? "current" : "proposed", hit.path("side").asText(), line::toString);
            }
        }
        assertEquals(
                all(answer, "address"),
                searched.getFirst()
                        .path("hits")
                        .valueStream()
                        .map(hit -> hit.path("address").asText())
                        .toList());
        JsonNode before = lines("red").getFirst();
        assertFalse(before.has("trial") || before.at("/hits/0").has("side"), before::toString);
    }

    @Test
    @AsksForErrors("trials.json can't be used; nothing is tried for its team: it is no JSON")
    void aLostTrialIsNotApprovedUnawaresAndTrialsEndByUndoOrDamage() throws IOException {
        says(1, "no proposal to try", command("tune", "try", "--team=green"));
        says(2, "are not logged", command("tune", "try", "--team=blue"));
        says(2, "--percent is 1 to 100", command("tune", "try", "--team=green", "--percent=0"));
        says(2, "--days is 1 to 365", command("tune", "try", "--team=green", "--days=366"));
        says(2, "--team", command("tune", "try"));
        String id = proposed("green");
        says(
                1,
                "There is no proposal nothing for this team",
                command("tune", "try", "--team=green", "--proposal=nothing"));
        begin("green", id);
        says(0, "not enough yet", command("tune", "list", "--team=green"));
        read("green", "vectordb:mails");
        says(0, "the proposal is worse than what is in use", command("tune", "list", "--team=green"));
        says(1, "has lost its trial: ", command("tune", "approve", id));
        assertTrue(mixed(search("green-0", 0)), "nothing was changed");

        Path file = folder.resolve("insight/tuning/team-green/trials.json");
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, whole.length() / 2));
        for (String[] refused : List.of(
                new String[] {"tune", "list", "--team=green"},
                new String[] {"tune", "undo", "--team=green"},
                new String[] {"tune", "try", "--team=green"},
                new String[] {"tune", "approve", "--anyway", id})) {
            says(1, "trials.json can't be read: it is no JSON. Restore the file, or remove it", command(refused));
        }
        Eventually.that(() -> !mixed(search("green-0", 0)), () -> "it goes on without its file");
        Files.writeString(file, whole);
        Eventually.that(() -> mixed(search("green-0", 0)), () -> "it does not go on");

        PrintedCommand undone = says(
                0, "Proposal " + id + " is not tried any more.", command("tune", "undo", "--team=green", "--by=otto"));
        assertTrue(undone.text().contains("rank as the configuration says"), undone::toString);
        Eventually.that(() -> !mixed(search("green-0", 0)), () -> "it goes on");
        String audit = Eventually.first(this::audit, text -> text.contains("tuning/try_end") && text.contains("otto"));
        assertNotEquals("", audit);
        says(1, "nothing to undo", command("tune", "undo", "--team=green"));
        says(1, "has lost its trial: ", command("tune", "approve", id));
        says(0, "Its trial: ", command("tune", "approve", "--anyway", id));
        String hashed = proposed("hashed");
        Path configuration = folder.resolve("switchboard.yaml");
        String changed = "was compared with other weights in the configuration than those now";
        for (String other : List.of("fusion: {similarity: 0.5}", "sources: {vectordb: {weight: 2}}")) {
            Files.writeString(configuration, YAML + "search: {" + other + "}\n");
            says(1, changed, command("tune", "approve", hashed));
            says(0, changed.substring(4), command("tune", "list", "--team=hashed"));
        }
        assertEquals(List.of(), new TuningFolder(folder).decisions("hashed").decisions(), "nothing was changed");
        Files.writeString(configuration, YAML + "search: {sources: {vectordb: {weight: 1}}}\n");
        says(0, "It was not tried in service.", command("tune", "approve", hashed));
        Files.writeString(configuration, YAML + "search: {fusion: {similarity: 0.5}}\n");
        new TuningFolder(folder).undo("hashed", "olga", Instant.now());
        says(0, "It was not tried in service.", command("tune", "approve", "--anyway", hashed));
    }
}
