package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.cluster.SharedDocumentsTest.ok;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;

/** The search log of gateways that share a database: what one has searched and another one has read, seen by agents and operators. */
@Tag("engines")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedInsightTest {
    private static final String SCHEMA = "insights";
    private static final String CANARY = "narwhal";

    /** Besides red and blue; what a key has searched in a test before, its gateway still knows. */
    private static final List<String> TEAMS = List.of("hash", "none", "silent", "late", "away");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        String more = SharedDocumentsTest.SHARED + """
                insight:
                  teams:
                    red: {}
                    hash: {queries: hash}
                    none: {queries: none}
                    silent: {log: false}
                    late: {}
                    away: {}
                """;
        replicas = new Replicas(
                postgres,
                folder,
                new Replicas.Settings(SCHEMA, more)
                        .with(TEAMS.stream().collect(Collectors.toMap(team -> team, _ -> "bindings: {}"))));
        for (String text :
                List.of("A barge carries grain on the river.", "The river has a bridge.", "A crane lifts.")) {
            ok(SharedDocumentsTest.ingest(
                    SharedDocumentsTest.client(replicas, 0), "harbour", text.substring(0, 7), text));
        }
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    @BeforeEach
    void empty() {
        sql("DELETE FROM $.insight_line; DELETE FROM $.insight_forgotten");
    }

    private static String sql(String sql) {
        return postgres.sql(sql.replace("$", SCHEMA)).strip();
    }

    private static McpTestClient client(int index, Map<String, String> who) {
        return replicas.gateway(index).modern().with("X-API-Key", who.get("X-API-Key"));
    }

    private static McpTestClient red(int index) {
        return client(index, replicas.red());
    }

    private static JsonNode search(McpTestClient client, String query) {
        return search(client, Json.object().put("query", query));
    }

    private static JsonNode search(McpTestClient client, ObjectNode arguments) {
        arguments.putArray("sources").add("library");
        return ok(client.call("search_everywhere", arguments));
    }

    private static String address(JsonNode found, int place) {
        String address = found.at("/results/" + place + "/address").asText();
        assertFalse(address.isEmpty(), found::toString);
        return address;
    }

    private static void read(McpTestClient client, String address) {
        ok(client.call("fetch_document", Json.object().put("address", address)));
    }

    private static String command(int index, String... arguments) {
        String printed = replicas.command(
                index, Stream.concat(Stream.of("insight"), Stream.of(arguments)).toArray(String[]::new));
        assertTrue(printed.startsWith("0: "), printed);
        return printed.substring(3);
    }

    private static List<JsonNode> export(int index, String... more) {
        return command(
                        index,
                        Stream.concat(Stream.of("export"), Stream.of(more)).toArray(String[]::new))
                .lines()
                .map(line -> {
                    try {
                        return Json.parse(line);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
    }

    /** Waits until there are so many lines. */
    private static List<JsonNode> lines(int count) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> sql("SELECT count(*) FROM $.insight_line").equals(Integer.toString(count)),
                () -> sql("SELECT string_agg(line, E'\\n' ORDER BY number) FROM $.insight_line"));
        return export(0);
    }

    @Test
    void whatOneGatewayHasSearchedAndAnotherOneHasReadIsOneStory() throws IOException {
        JsonNode found = search(red(0), "grain on the river");
        read(red(1), address(found, 1));
        List<JsonNode> lines = lines(2);
        assertEquals("search", lines.get(0).path("event").asText());
        assertEquals("grain on the river", lines.get(0).path("query").asText());
        assertEquals("fetched", lines.get(1).path("event").asText());
        assertEquals(lines.get(0).path("id"), lines.get(1).path("search"));
        assertEquals(2, lines.get(1).path("position").asInt());
        assertEquals("r1", lines.get(1).path("key").asText());
        assertEquals(lines, export(1));
        assertEquals(lines, export(2, "--team=red"));
        assertEquals(List.of(), export(2, "--team=blue"));
        assertTrue(command(2, "judgments", "--team=red").contains(address(found, 1)));
        assertFalse(Files.exists(replicas.gateway(0).data().resolve("insight")), "nothing is in the data folder");
    }

    @Test
    void theNewestSearchThatGaveItCountsAlsoIfItsOwnGatewayKnowsAnOlderOne() {
        String address = address(search(red(0), "grain"), 0);
        lines(1);
        assertEquals(address, address(search(red(1), "barge"), 0));
        lines(2);
        read(red(0), address);
        List<JsonNode> lines = lines(3);
        assertEquals(lines.get(1).path("id"), lines.get(2).path("search"));
        assertEquals(lines.get(0).path("id"), lines.get(1).path("after"), "the question in other words");
    }

    @Test
    void theRestOfAnAnswerBelongsToItsFirstPartOnAnyGateway() {
        search(red(0), "river");
        lines(1);
        search(red(2), Json.object().put("query", "river").put("skip_results", 1));
        List<JsonNode> lines = lines(2);
        assertEquals(lines.get(0).path("id"), lines.get(1).path("rest_of"));
        assertFalse(lines.get(1).has("after"));
    }

    /** A link would tell which of these queries are equal, whichever gateway knows that. */
    @Test
    void whereQueriesAreNotKeptNoLinkTellsOfThem() {
        search(client(0, replicas.of("none")), "river");
        lines(1);
        for (int index : List.of(0, 2)) {
            search(
                    client(index, replicas.of("none")),
                    Json.object().put("query", "river").put("skip_results", 1));
            search(client(index, replicas.of("none")), "bridge");
        }
        List<JsonNode> lines = lines(5);
        assertFalse(lines.stream().anyMatch(line -> line.has("after") || line.has("rest_of")), lines::toString);
    }

    @Test
    void whatNothingExplainsAndWhatAnotherKeyReadsIsNotKept() {
        Map<String, String> late = replicas.of("late");
        String address = address(search(client(0, late), "grain"), 0);
        lines(1);
        read(client(1, replicas.of("away")), address);
        sql("UPDATE $.insight_line SET since = since - interval '11 minutes'");
        read(client(1, late), address);
        search(client(1, replicas.of("away")), "the last one");
        lines(2);
        search(client(1, late), "and another one");
        List<JsonNode> lines = lines(3);
        assertEquals(
                List.of("search", "search", "search"),
                lines.stream().map(line -> line.path("event").asText()).toList());
        assertFalse(lines.stream().anyMatch(line -> line.has("after")), lines::toString);
    }

    @Test
    void hashesAreEqualOnAllGatewaysAndNothingElseIsKeptOfQueriesOrOfTeamsWithoutALog() {
        for (int index = 0; index < 3; index++) {
            search(client(index, replicas.of("hash")), CANARY + " hashed");
            search(client(index, replicas.of("none")), CANARY + " none");
            for (Map<String, String> unlogged : List.of(replicas.blue(), replicas.of("silent"))) {
                McpTestClient client = client(index, unlogged);
                read(client, address(search(client, CANARY + " grain"), 0));
            }
        }
        search(
                client(1, replicas.of("none")),
                Json.object().put("query", CANARY + " none").put("skip_results", 1));
        search(client(2, replicas.of("none")), "the last one");
        List<JsonNode> lines = lines(8);
        List<String> hashes = lines.stream()
                .filter(line -> line.path("team").asText().equals("hash"))
                .map(line -> line.path("query_hash").asText())
                .distinct()
                .toList();
        assertEquals(1, hashes.size());
        assertEquals(32, hashes.getFirst().length());
        assertFalse(postgres.dump().contains(CANARY));
        assertTrue(
                lines.stream()
                        .filter(line -> line.path("team").asText().equals("none"))
                        .noneMatch(line -> line.has("after") || line.has("rest_of")),
                lines::toString);
        assertEquals("hash none", sql("SELECT string_agg(DISTINCT team, ' ' ORDER BY team) FROM $.insight_line"));
    }

    @Test
    void whatIsForgottenByKeyIsInNoRow() {
        JsonNode found = search(red(0), "grain " + CANARY);
        read(red(2), address(found, 0));
        search(client(1, replicas.of("none")), "grain");
        lines(3);
        assertTrue(postgres.dump().contains(CANARY));
        assertEquals(
                "2 lines are gone or have changed.",
                command(1, "forget", "--key=r1").lines().findFirst().orElse(""));
        assertFalse(postgres.dump().contains(CANARY));
        assertEquals("none1", sql("SELECT string_agg(asker, ' ') FROM $.insight_line"));
        assertFalse(sql("SELECT what FROM $.insight_forgotten").contains("r1"), "the note names nobody");
        read(red(0), address(found, 0));
        search(red(0), "bridge");
        List<JsonNode> lines = lines(2);
        assertEquals("bridge", lines.get(1).path("query").asText());
        assertFalse(lines.get(1).has("after"), "it would name what is forgotten");
    }

    @Test
    void nothingOfBeforeIsWrittenAfterItWasForgottenWhileAllGatewaysAreAsked() {
        AtomicInteger answers = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        List<Thread> callers = IntStream.range(0, 3)
                .mapToObj(index -> Thread.ofVirtual().start(() -> {
                    McpTestClient client = red(index);
                    while (!ended.get()) {
                        read(client, address(search(client, "grain " + answers.incrementAndGet()), 0));
                    }
                }))
                .toList();
        Eventually.that(() -> answers.get() > 30, answers::toString);
        String forgotten = command(1, "forget", "--key=r1");
        int before = answers.get();
        Eventually.that(() -> answers.get() > before + 30, answers::toString);
        ended.set(true);
        callers.forEach(caller -> {
            try {
                assertTrue(caller.join(Eventually.OF_A_PROCESS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        });
        search(client(0, replicas.of("none")), "the last one");
        Eventually.that(
                () -> !sql("SELECT id FROM $.insight_line WHERE team = 'none'").isEmpty(), () -> "it is written");
        assertTrue(forgotten.contains("lines are gone"), forgotten);
        assertEquals(
                "0",
                sql("SELECT count(*) FROM $.insight_line AS l, $.insight_forgotten AS f WHERE l.asker = 'r1' AND"
                        + " l.since <= f.at"));
        assertNotEquals("0", sql("SELECT count(*) FROM $.insight_line WHERE asker = 'r1' AND kind = 'fetched'"));
        assertEquals(
                "0",
                sql("SELECT count(*) FROM $.insight_line AS u WHERE kind = 'fetched' AND NOT EXISTS (SELECT 1 FROM"
                        + " $.insight_line AS s WHERE s.kind = 'search' AND s.line::json ->> 'id' = u.line::json ->>"
                        + " 'search')"),
                "each read belongs to a search that is there");
    }

    @Test
    void aDocumentGoesFromHitsAndReadsAndTheSearchesStay() {
        JsonNode found = search(red(0), "river");
        String address = address(found, 0);
        read(red(1), address);
        lines(2);
        assertEquals(
                "2 lines are gone or have changed.",
                command(2, "forget", "--document=" + address)
                        .lines()
                        .findFirst()
                        .orElse(""));
        List<JsonNode> lines = lines(1);
        assertEquals(
                found.path("results").size() - 1, lines.getFirst().path("hits").size());
        assertEquals("0", sql("SELECT count(*) FROM $.insight_line WHERE strpos(line, '" + address + "') > 0"));
        assertEquals(
                "The search log has nothing of it.",
                command(0, "forget", "--team=red", "--before=2026-01-31")
                        .lines()
                        .findFirst()
                        .orElse(""));
        assertEquals(
                "1 lines are gone or have changed.",
                command(0, "forget", "--team=red").lines().findFirst().orElse(""));
    }

    @Test
    void gapsAreThoseOfAllGateways() {
        search(red(0), Json.object().put("query", "parental leave").put("min_relevance", 0.99));
        search(red(1), Json.object().put("query", "canteen menu").put("min_relevance", 0.99));
        lines(2);
        JsonNode gaps = ok(red(2).call("search_gaps", Json.object().put("team", "red")));
        assertEquals(2, gaps.path("searches").asInt(), gaps::toString);
        assertEquals(2, gaps.path("unanswered").asInt(), gaps::toString);
        assertTrue(command(1, "gaps", "--team=red").startsWith("2 of 2 searches gave nothing relevant"));
    }

    @Test
    void whileTheDatabaseIsAwayLinesWaitAndComeTogether() {
        Map<String, String> away = replicas.of("away");
        String address = address(search(red(0), "grain"), 0);
        read(red(1), address);
        lines(2);
        empty();
        postgres.kill();
        try {
            search(client(0, away), "grain while it is away");
            read(client(1, away), address);
        } finally {
            postgres.restart();
        }
        List<JsonNode> lines = lines(2);
        assertEquals("grain while it is away", lines.get(0).path("query").asText());
        assertEquals(lines.get(0).path("id"), lines.get(1).path("search"));
        replicas.awaitTogether();
    }

    @Test
    void whatAKilledGatewayHasWrittenIsThereAndItsSearchIsGoneOnWith() {
        String address;
        try (GatewayProcess process = replicas.process();
                McpTestClient client = McpTestClient.modern(process.url())) {
            address = address(search(client.with("X-API-Key", replicas.red().get("X-API-Key")), "crane"), 0);
            lines(1);
            process.kill();
        }
        read(red(1), address);
        List<JsonNode> lines = lines(2);
        assertEquals("crane", lines.get(0).path("query").asText());
        assertEquals(lines.get(0).path("id"), lines.get(1).path("search"));
    }

    @Test
    void theCommandSaysThatTheDatabaseIsAway() {
        postgres.kill();
        try {
            String printed = replicas.command(0, "insight", "export");
            assertTrue(printed.startsWith("1: The search log is in the database that the gateways share"), printed);
            assertEquals(1, printed.lines().count(), printed);
        } finally {
            postgres.restart();
        }
        replicas.awaitTogether();
    }
}
