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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Standing questions of a gateway with teams, seen by agents over MCP. */
class StandingQuestionsTest {
    private static final List<String> IDS = List.of("ann", "bob", "eve", "feed", "off");
    private static final Pattern NO_WATCH = Pattern.compile("watch://\\S+?(?=[\"., ])");

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys =
            IDS.stream().collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private final HandClock clock = HandClock.ticking(Instant.now());
    private final Map<String, String> grants = new HashMap<>();
    private final Map<String, List<String>> teams = new TreeMap<>(Map.of(
            "readers",
            List.of("ann", "bob"),
            "others",
            List.of("eve"),
            "feed",
            List.of("feed"),
            "off",
            List.of("off")));
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        writeTeams();
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                views: {narrow: {backends: [switchboard, vectordb], tools: [switchboard__watch_search]}}
                insight:
                  teams:
                    readers: {log: false, watches: {most: 3, every: 10m, runsPerMinute: 6000, keepFor: 30d}}
                    others: {log: false, watches: {runsPerMinute: 6000}}
                    off: {log: false}
                backends:
                  vectordb: {type: vectordb}
                  second: {type: vectordb, dataDir: second}
                """, folder, clock);
        ingest("vectordb", "barge", "A barge carries grain on the river.");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void writeTeams() throws IOException {
        StringBuilder yaml = new StringBuilder("teams:\n");
        teams.forEach((team, members) -> yaml.append("  %s: {keys: [%s], grants: [%s]}\n"
                .formatted(
                        team,
                        members.stream()
                                .map(id -> "{id: %s, sha256: %s}"
                                        .formatted(id, keys.get(id).sha256()))
                                .collect(Collectors.joining(", ")),
                        grants.getOrDefault(team, "\"switchboard:search,read\", \"vectordb:*\", \"second:*\""))));
        Files.writeString(folder.resolve("teams.yaml"), yaml);
    }

    private Asker asker(String id) {
        return new Asker(gateway.url(), keys.get(id));
    }

    private McpTestClient client(String id) {
        return asker(id).client();
    }

    private void ingest(String backend, String source, String text) {
        ToolResult stored = client("feed")
                .call(
                        backend + "__ingest_text",
                        Json.object().put("content", text).put("source", source));
        assertFalse(stored.isError(), stored::toString);
    }

    private ToolResult call(String id, ObjectNode arguments) {
        return asker(id).call(arguments);
    }

    private JsonNode ok(String id, ObjectNode arguments) {
        return asker(id).ok(arguments);
    }

    private String ask(String id, String query) {
        return ask(id, Json.object().put("query", query));
    }

    private String ask(String id, ObjectNode arguments) {
        return asker(id).ask(arguments);
    }

    private JsonNode read(String id, String watch) {
        return asker(id).read(watch);
    }

    private static List<String> titles(JsonNode watch) {
        List<String> sources = new ArrayList<>();
        watch.path("news").forEach(news -> sources.add(news.path("title").asText()));
        return sources;
    }

    private JsonNode news(String id, String watch, int count) {
        return Eventually.first(
                () -> read(id, watch), found -> found.path("news").size() == count);
    }

    private Instant lastRun(String id, String watch) {
        return Instant.parse(read(id, watch).path("last_run").asText());
    }

    /** Waits until {@code watch} was asked after {@code before}. */
    private JsonNode askedAfter(Instant before, String id, String watch) {
        return Eventually.first(
                () -> read(id, watch),
                found -> Instant.parse(found.path("last_run").asText()).isAfter(before));
    }

    @Test
    void aNewDocumentIsToldOnceInBothErasAndNotToOthers() {
        String grain = ask("ann", "grain");
        String last = ask("ann", "lighthouse");
        try (RawHttp modern = asker("ann").listening(grain);
                RawHttp legacy = asker("ann").session(gateway.url(), grain);
                RawHttp end = asker("ann").listening(last);
                RawHttp stranger = asker("eve").listening(grain);
                RawHttp strangersEnd = asker("bob").listening(grain)) {
            ingest("vectordb", "canal", "Grain goes by canal.");
            JsonNode found = news("ann", grain, 1);
            JsonNode one = found.path("news").get(0);
            assertTrue(one.path("address").asText().startsWith("switchboard://vectordb/default/"), found::toString);
            assertEquals("vectordb:default", one.path("source").asText());
            assertEquals(1, found.path("news_count").asInt());
            ingest("vectordb", "light", "The lighthouse is red.");
            news("ann", last, 1);
            end.readUntil(Asker.updated(last));
            String eve = ask("eve", "lighthouse");
            String bob = ask("bob", "lighthouse");
            try (RawHttp seesOwn = asker("eve").listening(eve);
                    RawHttp seesOwnToo = asker("bob").listening(bob)) {
                ingest("vectordb", "light2", "Another lighthouse is green.");
                seesOwn.readUntil(Asker.updated(eve));
                seesOwnToo.readUntil(Asker.updated(bob));
            }
            gateway.close();
            assertEquals(1, Asker.updates(modern.readAll(), grain));
            assertEquals(1, Asker.updates(legacy.readAll(), grain));
            assertEquals(0, Asker.updates(stranger.readAll(), grain), "of another team");
            assertEquals(0, Asker.updates(strangersEnd.readAll(), grain), "another key of the same team");
        }
    }

    @Test
    void whatDoesNotReachTheFirstHitsIsNoNews() {
        String first = ask(
                "ann",
                Json.object().put("query", "barge carries grain on the river").put("limit", 1));
        String relevant = ask(
                "ann",
                Json.object().put("query", "barge carries grain on the river").put("min_relevance", 0.99));
        String any = ask("ann", Json.object().put("query", "river").put("limit", 100));
        ingest("vectordb", "weak", "Something about a river and much else that has nothing to do with any freight.");
        Instant stored = clock.instant();
        ingest("second", "nothing", "Nothing of all that.");
        JsonNode hit = askedAfter(stored, "ann", any);
        assertTrue(titles(hit).contains("weak"), hit::toString);
        assertEquals(List.of(), titles(askedAfter(stored, "ann", first)));
        assertEquals(List.of(), titles(askedAfter(stored, "ann", relevant)));
    }

    @Test
    void whatCouldNotBeAskedAgainIsRefused() {
        ToolResult refused = gateway.modern("narrow")
                .with("Authorization", "Bearer " + keys.get("ann").text())
                .call("watch_search", Json.object().put("query", "grain"));
        assertTrue(refused.isError(), refused::toString);
        assertTrue(refused.text().contains("search_everywhere"), refused::text);
        assertEquals(0, ok("ann", Json.object()).size());
    }

    @Test
    void nobodyElseLearnsOfAQuestion() {
        String watch = ask("ann", Json.object().put("query", "grain").put("note", "für Jürgen 🛶"));
        String never = "watch://AAAAAAAAAAAAAAAAAAAAAA";
        assertEquals("für Jürgen 🛶", read("ann", watch).path("note").asText());
        for (String stranger : List.of("eve", "bob")) {
            for (UnaryOperator<ObjectNode> use : List.<UnaryOperator<ObjectNode>>of(
                    arguments -> arguments,
                    arguments -> arguments.put("end", true),
                    arguments -> arguments.put("query", "stolen"))) {
                ToolResult real = call(stranger, use.apply(Json.object().put("watch", watch)));
                ToolResult none = call(stranger, use.apply(Json.object().put("watch", never)));
                assertTrue(real.isError(), real::toString);
                assertEquals(anonymous(none.toString()), anonymous(real.toString()));
            }
            assertEquals(refusal(stranger, never), refusal(stranger, watch));
            assertEquals(0, ok(stranger, Json.object()).size());
            assertEquals(
                    0,
                    client(stranger)
                            .result("resources/list", Json.object())
                            .path("resources")
                            .size());
        }
        JsonNode listed = client("ann").result("resources/list", Json.object()).path("resources");
        assertEquals(1, listed.size(), listed::toString);
        assertEquals(watch, listed.at("/0/uri").asText());
        assertEquals("für Jürgen 🛶", listed.at("/0/name").asText());
        assertEquals("grain", read("ann", watch).path("query").asText(), "nobody has changed it");
    }

    private String refusal(String id, String uri) {
        JsonNode error = client(id)
                .request("resources/read", Json.object().put("uri", uri))
                .json()
                .path("error");
        assertTrue(error.isObject(), uri);
        return anonymous(error.toString());
    }

    private static String anonymous(String text) {
        return NO_WATCH.matcher(text).replaceAll("it");
    }

    @Test
    void theResourceIsWhatTheToolTells() throws IOException {
        String watch = ask("ann", "grain");
        ingest("vectordb", "silo", "Grain is in the silo.");
        JsonNode told = news("ann", watch, 1);
        JsonNode contents = client("ann")
                .result("resources/read", Json.object().put("uri", watch))
                .at("/contents/0");
        assertEquals("application/json", contents.path("mimeType").asText());
        assertEquals(
                told.path("news"), Json.parse(contents.path("text").asText()).path("news"));
        assertEquals(
                "ended",
                ok("ann", Json.object().put("watch", watch).put("end", true))
                        .at("/0/status")
                        .asText());
        assertTrue(call("ann", Json.object().put("watch", watch)).isError());
        assertEquals(0, files());
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("watches"))) {
            return all.filter(path -> path.toString().endsWith(".json")).count();
        }
    }

    @Test
    void aKeyThatIsGoneEndsItsQuestionsAndALostSourceIsHidden() throws IOException {
        String ann = ask("ann", "grain");
        String bob = ask("bob", "grain");
        ingest("vectordb", "silo", "Grain is in the silo.");
        ingest("second", "mill", "Grain is ground in the mill.");
        news("ann", ann, 2);
        grants.put("readers", "\"switchboard:search,read\", \"vectordb:*\"");
        teams.put("readers", List.of("ann"));
        writeTeams();
        JsonNode left = news("ann", ann, 1);
        assertEquals("vectordb:default", left.at("/news/0/source").asText());
        ingest("second", "mill2", "More grain is ground in the mill.");
        ingest("vectordb", "silo2", "More grain is in the silo.");
        JsonNode more = news("ann", ann, 2);
        assertFalse(more.path("news").toString().contains("switchboard://second/"), more::toString);
        Eventually.that(() -> onlyFile(ann), () -> "the file of " + bob + " is gone");
        teams.put("readers", List.of("ann", "bob"));
        writeTeams();
        Eventually.that(
                () -> client("bob").request("tools/list", Json.object()).status() == 200, () -> "the key is back");
        assertEquals(0, ok("bob", Json.object()).size());
    }

    private boolean onlyFile(String watch) {
        try {
            return files() == 1 && Files.exists(folder.resolve("watches/team-readers/" + watch.substring(8) + ".json"));
        } catch (IOException | UncheckedIOException e) {
            return false; // a file is going
        }
    }

    @Test
    void aDocumentThatIsGoneIsNoNewsAnyMore() {
        String watch = ask("ann", "grain");
        ingest("vectordb", "silo", "Grain is in the silo.");
        String address = news("ann", watch, 1).at("/news/0/address").asText();
        ToolResult deleted = client("feed")
                .call(
                        "vectordb__delete_document",
                        Json.object().put("doc_id", address.substring(address.lastIndexOf('/') + 1)));
        assertFalse(deleted.isError(), deleted::toString);
        assertEquals(0, read("ann", watch).path("news").size());
    }

    @Test
    void theBoundsSayWhatToDo() {
        for (int i = 0; i < 3; i++) {
            ask(i == 0 ? "bob" : "ann", "question " + i);
        }
        ToolResult full = call("ann", Json.object().put("query", "one too many"));
        assertTrue(full.isError());
        assertTrue(full.toString().contains("insight.teams.readers.watches.most"), full::toString);
        assertTrue(full.toString().contains("end: true"), full::toString);
        String own = ok("ann", Json.object()).at("/0/watch").asText();
        ok("ann", Json.object().put("watch", own).put("end", true));
        ask("ann", "now there is room");

        ToolResult off = call("off", Json.object().put("query", "grain"));
        assertTrue(off.isError());
        assertTrue(off.toString().contains("insight.teams.off.watches"), off::toString);
        for (ObjectNode wrong : List.of(
                Json.object().put("end", true),
                Json.object().put("note", "no query"),
                Json.object().put("query", "  "),
                Json.object().put("query", "grain").set("filters", Json.object().put("no_such_field", 1)))) {
            assertTrue(call("eve", wrong).isError(), wrong::toString);
        }
        assertEquals(0, ok("eve", Json.object()).size(), "what was refused is not kept");
    }

    @Test
    void atOnceAskedAndIngestedNothingIsLostAndNothingTwice() throws InterruptedException {
        String watch = ask("eve", Json.object().put("query", "grain").put("limit", 100));
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int number = thread;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 5; i++) {
                    ingest("vectordb", "many " + number + " " + i, "Grain of the sort " + number + " " + i + ".");
                }
            }));
        }
        List<Boolean> created = Collections.synchronizedList(new ArrayList<>());
        for (int thread = 0; thread < 6; thread++) {
            threads.add(Thread.ofVirtual()
                    .start(() -> created.add(
                            !call("ann", Json.object().put("query", "nothing")).isError())));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        JsonNode found = news("eve", watch, 20);
        assertEquals(
                20,
                found.path("news")
                        .valueStream()
                        .map(news -> news.path("address").asText())
                        .distinct()
                        .count());
        assertEquals(3, created.stream().filter(done -> done).count(), "as many as the bound allows");
    }

    @Test
    void aRestartGoesOnAndWhatNobodyUsesGoes() {
        String watch = ask("ann", "grain");
        ingest("vectordb", "silo", "Grain is in the silo.");
        JsonNode before = news("ann", watch, 1);
        Instant last = lastRun("ann", watch);
        gateway.restart();
        JsonNode after = askedAfter(last, "ann", watch);
        assertEquals(before.path("news"), after.path("news"));
        ingest("vectordb", "mill", "Grain is ground in the mill.");
        assertEquals(2, news("ann", watch, 2).path("news_count").asInt());
        clock.forward(Duration.ofDays(31));
        Eventually.that(
                () -> ok("ann", Json.object()).isEmpty(), () -> "a question that nobody has used for 31 days is gone");
    }

    @Test
    void aChangedQuestionBeginsAnew() {
        String watch = ask("ann", "grain");
        ingest("vectordb", "silo", "Grain is in the silo.");
        news("ann", watch, 1);
        JsonNode changed = ok("ann", Json.object().put("watch", watch).put("query", "lighthouse"))
                .get(0);
        assertEquals(watch, changed.path("watch").asText());
        assertEquals(0, changed.path("news").size());
        ingest("vectordb", "mill", "Grain is ground in the mill.");
        ingest("vectordb", "light", "The lighthouse is red.");
        JsonNode found = news("ann", watch, 1);
        assertEquals("lighthouse", found.path("query").asText());
    }
}
