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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.Forgetting;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PrintedCommand;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A team whose agents read only of the source that comes second, another team, and an operator who tunes the searches of the first
 * one: as they see it over MCP and on the command line.
 */
class TuningOverHttpTest {
    private static final int TOPICS = 45;
    private static final List<String> MAILS_FIRST = List.of("vectordb:mails", "vectordb:handbook");
    private static final List<String> HANDBOOK_FIRST = List.of("vectordb:handbook", "vectordb:mails");
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            audit: {to: file, file: audit.jsonl}
            insight: {teams: {red: {}, hashed: {queries: hash}}}
            backends:
              vectordb: {type: vectordb}
            """;

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = new TreeMap<>();
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        StringBuilder teams = new StringBuilder("teams:\n");
        for (String team : List.of("red", "blue", "hashed")) {
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
        Files.writeString(folder.resolve("teams.yaml"), teams);
        Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        Files.writeString(folder.resolve("key"), keys.get("red-0").text());
        gateway = TestGateway.start(YAML, folder);
        Random random = new Random(7);
        for (int topic = 0; topic < TOPICS; topic++) {
            store("mails", topic(topic) + " " + words(random, 6));
            store("handbook", words(random, 30) + " " + topic(topic) + " " + words(random, 30));
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static String topic(int number) {
        return "topic" + (char) ('a' + number / 26) + (char) ('a' + number % 26) + "k"; // no ending of a word
    }

    private static String words(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> random.ints(7, 'a', 'z' + 1)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining()))
                .collect(Collectors.joining(" "));
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
        return found.structured().path("results");
    }

    private List<String> order(String key, String... weights) {
        ObjectNode arguments = Json.object().put("query", topic(0));
        for (String source : weights) {
            arguments.withObject("/weights").put(source, 1);
        }
        return search(key, arguments)
                .valueStream()
                .map(hit -> hit.path("source").asText())
                .toList();
    }

    /** Each agent of the team reads what the handbook has. */
    private void read(String team) {
        IntStream.range(0, 4).parallel().forEach(agent -> {
            String key = team + "-" + agent;
            for (int topic = 0; topic < TOPICS; topic++) {
                JsonNode handbook = search(key, Json.object().put("query", topic(topic)))
                        .valueStream()
                        .filter(hit -> hit.path("source").asText().equals("vectordb:handbook"))
                        .findFirst()
                        .orElseThrow();
                client(key)
                        .call(
                                "fetch_document",
                                Json.object()
                                        .put("address", handbook.path("address").asText()));
            }
        });
        Eventually.that(() -> lines(team) == 8 * TOPICS, () -> lines(team) + " lines");
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

    private PrintedCommand command(String... arguments) {
        return PrintedCommand.run(folder, arguments);
    }

    private PrintedCommand tune(String team) {
        return command("tune", "--team=" + team, "--url=" + gateway.url(), "--key-file=" + folder.resolve("key"));
    }

    private String proposed() {
        PrintedCommand proposed = tune("red");
        assertEquals(0, proposed.code(), proposed::toString);
        Matcher id = Pattern.compile("Proposal ([0-9a-f]{8})\\.").matcher(proposed.text());
        assertTrue(id.find(), proposed::toString);
        assertTrue(proposed.text().contains("factor of vectordb:"), proposed::toString);
        return id.group(1);
    }

    private static void refused(String why, PrintedCommand printed) {
        assertEquals(1, printed.code(), printed::toString);
        assertTrue(printed.text().contains(why), printed::toString);
    }

    private void eventually(List<String> wanted) {
        Eventually.that(() -> order("red-1").equals(wanted), () -> order("red-1") + " instead of " + wanted);
    }

    @Test
    void whatATeamReadsChangesItsSearchesOnceAnOperatorApprovesAndUntilThatIsUndone() throws IOException {
        assertEquals(MAILS_FIRST, order("red-1"));
        PrintedCommand nothing = tune("red");
        assertTrue(nothing.text().contains("No proposal: reads that say something are of 0 keys"), nothing::toString);
        Eventually.that(() -> lines("red") == 1, () -> "the search is not logged");
        new InsightFolder(folder).forget(new Forgetting("red", null, null, null), Instant.EPOCH);
        read("red");

        int logged = lines("red");
        String id = proposed();
        assertEquals(logged, lines("red"), "what tune asks is not logged");
        assertEquals(MAILS_FIRST, order("red-1"), "nothing changes before it is approved");
        PrintedCommand approved = command("tune", "approve", id, "--by=olga");
        assertEquals(0, approved.code(), approved::toString);
        tellsOfNobody();
        eventually(HANDBOOK_FIRST);
        assertEquals(MAILS_FIRST, order("blue-1"), "another team's searches stay as they are");
        assertEquals(MAILS_FIRST, order("red-1", "vectordb:mails", "vectordb:handbook"), "what a call says counts");
        refused("other weights than those in use now", command("tune", "approve", id));

        gateway.close();
        gateway = TestGateway.start(YAML, folder);
        assertEquals(HANDBOOK_FIRST, order("red-1"), "it is kept over a restart");
        PrintedCommand again = tune("red");
        assertTrue(again.text().contains("No proposal: no other weights rank better"), again::toString);
        PrintedCommand undone = command("tune", "undo", "--team=red");
        assertTrue(undone.text().contains("rank as the configuration says"), undone::toString);
        eventually(MAILS_FIRST);
        refused("nothing to undo", command("tune", "undo", "--team=red"));
        PrintedCommand listed = command("tune", "list", "--team=red");
        assertTrue(listed.text().contains("approved " + id + " at "), listed::toString);
        assertTrue(listed.text().contains(" by olga"), listed::toString);
        assertTrue(listed.text().contains("undone " + id), listed::toString);
        assertTrue(listed.text().contains("in use: as the configuration says"), listed::toString);
        String audit = Eventually.first(this::audit, text -> text.contains("tuning/undo"));
        assertTrue(audit.contains("\"tuning/approve\"") && audit.contains("olga"), audit);
        damaged(id);
    }

    /** What was proposed and decided has no query, no key and no document. */
    private void tellsOfNobody() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("insight/tuning"))) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            assertFalse(files.isEmpty());
            for (Path file : files) {
                String text = Files.readString(file);
                for (String telling : List.of("topic", "red-", "switchboard://")) {
                    assertFalse(text.contains(telling), () -> file + " has " + text);
                }
            }
        }
    }

    private String audit() {
        try {
            return Files.readString(folder.resolve("audit.jsonl"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files that were torn, or changed by hand. */
    private void damaged(String id) throws IOException {
        Path place = folder.resolve("insight").resolve("tuning").resolve("team-red");
        Path file = place.resolve("proposal-" + id + ".json");
        String whole = Files.readString(file);
        refused("There is no proposal nothing", command("tune", "approve", "nothing"));
        refused("There is no proposal ../team-red", command("tune", "approve", "../team-red"));
        Files.writeString(file, whole.substring(0, whole.length() / 2));
        refused("is damaged: it is no JSON", command("tune", "approve", id));
        Files.writeString(file, "{}");
        refused("is damaged: it is no whole proposal", command("tune", "approve", id));
        Files.writeString(file, whole.replaceAll("(vectordb:[a-z]+\":)[0-9.]+", "$1-7"));
        refused("is no number from 0.01 to 100", command("tune", "approve", id));
        Files.writeString(file, whole.replace("\"red\"", "\"blue\""));
        refused("it is of another team", command("tune", "approve", id));
        Files.writeString(file, whole);
        Path decisions = place.resolve("decisions.json");
        String decided = Files.readString(decisions);
        gateway.close();
        Files.writeString(decisions, decided.substring(0, decided.length() / 2));
        refused("can't be read: it is no JSON", command("tune", "approve", id));
        refused("can't be read: it is no JSON", command("tune", "undo", "--team=red"));
        Files.writeString(decisions, decided);
        assertEquals(0, command("tune", "approve", id).code());
        gateway = TestGateway.start(YAML, folder);
        assertEquals(HANDBOOK_FIRST, order("red-1"));
    }

    @Test
    void judgmentsAreShownAndMeasuredAndHashesCanNotBeAskedAnew() throws IOException {
        read("red");
        PrintedCommand lines = command("insight", "judgments", "--team=red");
        List<JsonNode> judged = new ArrayList<>();
        for (String line : lines.text().lines().toList()) {
            judged.add(Json.parse(line));
        }
        assertEquals(2 * TOPICS, judged.size());
        for (JsonNode one : judged) {
            boolean handbook = one.path("read").asInt() == 4;
            assertEquals(4, one.path("shown").asInt(), one::toString);
            assertEquals(4, one.path("keys").asInt(), one::toString);
            assertEquals(handbook ? 0 : 4, one.path("skipped").asInt(), one::toString);
            assertEquals(handbook ? 2 : 0, one.path("grade").asInt(), one::toString);
            assertEquals(handbook ? 0.5101 : 0, one.path("confidence").asDouble(), 0.0001, one::toString);
        }
        Path set = folder.resolve("judged");
        assertEquals(
                TOPICS + " judgments of " + TOPICS + " queries are in " + set + ".",
                command("insight", "judgments", "--team=red", "--beir=" + set)
                        .text()
                        .strip());
        int logged = lines("red");
        String[] measured = {
            "eval",
            "--judgments=insight",
            "--team=red",
            "--sources=vectordb",
            "--json",
            "--url=" + gateway.url(),
            "--key-file=" + folder.resolve("key")
        };
        PrintedCommand evaluated = command(measured);
        JsonNode json = Json.parse(evaluated.text());
        assertEquals("insight red", json.path("collection").asText());
        assertEquals(TOPICS, json.path("queries").asInt(), evaluated::toString);
        assertEquals(0.6309, json.at("/modes/0/quality/ndcg10").asDouble(), 0.0001, "second of two");
        assertEquals(logged, lines("red"), "an evaluation is not logged");
        assertEquals(2, command("eval", "--judgments=insight", "--team=red").code());
        assertEquals(2, command("eval").code());
        assertEquals(2, command("tune").code());

        read("hashed");
        PrintedCommand hashed = tune("hashed");
        assertTrue(hashed.text().contains("No proposal: no query whose text is kept"), hashed::toString);
        assertEquals(
                32,
                Json.parse(command("insight", "judgments", "--team=hashed")
                                .text()
                                .lines()
                                .findFirst()
                                .orElseThrow())
                        .path("query_hash")
                        .asText()
                        .length());
    }
}
