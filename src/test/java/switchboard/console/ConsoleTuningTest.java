package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.eval.PairedTest;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.WeightSearch;

/** Proposed weights: who sees, approves and undoes them in the console, over the wire. */
class ConsoleTuningTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final TuningProposal.JudgedReads READS = new TuningProposal.JudgedReads(123, 4);
    private static final String PATH = "api/v1/tuning";
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final String SOURCE = "v:<img src=x onerror=alert(1)>";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey operator = ApiKey.generate(new SecureRandom());
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    private TestGateway gateway;
    private TuningFolder tuning;

    @BeforeEach
    void start() throws IOException {
        tuning = new TuningFolder(folder);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["switchboard:search,read"]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(red.sha256(), operator.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                audit: {file: audit.jsonl}
                embedders: {default: {provider: none}}
                insight: {teams: {red: {}, "*": {}}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
    }

    private ConsoleClient signedIn(ApiKey key) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(200, browser.signIn(key.text()).status());
        return browser;
    }

    private TuningProposal proposed(String team, double factor) throws IOException {
        return tuning.propose(team, found(team, factor), READS, CONFIGURED, NOON);
    }

    private WeightSearch.FoundWeights found(String team, double factor) throws IOException {
        RankingWeights inUse = tuning.decisions(team).weights();
        return new WeightSearch.FoundWeights(
                inUse,
                new RankingWeights(new TreeMap<>(Map.of(SOURCE, factor)), 0.5),
                new WeightSearch.Measured(70, 0.5, 0.6),
                new WeightSearch.Measured(30, 0.5, 0.625),
                20,
                new PairedTest(0.125, 0.05, 0.2, 0.001));
    }

    private static JsonNode team(ConsoleClient browser, String name) {
        HttpReply reply = browser.get(PATH);
        assertEquals(200, reply.status(), reply::body);
        return reply.json()
                .path("teams")
                .valueStream()
                .filter(team -> team.path("team").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(reply.body()));
    }

    private static ObjectNode seen(String team, String id, String hash) {
        return Json.object().put("team", team).put("id", id).put("hash", hash);
    }

    private static HttpReply undo(ConsoleClient browser, String team, String proposal, String at) {
        ObjectNode body =
                Json.object().put("team", team).put("proposal", proposal).put("at", at);
        return browser.send("DELETE", PATH, Json.text(body));
    }

    private List<String> changes() {
        return new GrowingFile(folder.resolve("audit.jsonl"))
                .lines().stream()
                        .map(ConsoleTuningTest::parsed)
                        .filter(line -> line.path("method").asText().startsWith("tuning/"))
                        .map(line -> "%s %s %s/%s %s %s"
                                .formatted(
                                        line.path("method").asText(),
                                        line.path("resources"),
                                        line.path("team").asText(),
                                        line.path("key").asText(),
                                        line.path("decision").asText(),
                                        line.path("outcome").asText()))
                        .toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    private static void refused(HttpReply reply, int status, String words) {
        assertEquals(status, reply.status(), reply::body);
        assertTrue(reply.body().contains(words), reply::body);
    }

    @Test
    void anOperatorApprovesWhatWasSeenAndUndoesIt() throws IOException {
        ConsoleClient browser = signedIn(operator);
        assertEquals(
                "{\"tunable\":true,\"similarity\":0.7,\"cluster\":false,\"teams\":[{\"team\":\"red\",\"proposals\":[],"
                        + "\"decisions\":[],\"damaged\":[],\"weights\":{\"sources\":{}}}]}",
                browser.get(PATH).body());
        String id = proposed("red", 2).id();
        JsonNode waiting = team(browser, "red").at("/proposals/0");
        assertEquals("waiting", waiting.path("state").asText());
        assertEquals(0.625, waiting.at("/ndcg10/held_back/after").asDouble());
        assertEquals(
                "{\"judgments\":123,\"keys\":4}", waiting.at("/ndcg10/judged").toString());
        String hash = waiting.path("hash").asText();

        HttpReply approved = browser.post(PATH, seen("red", id, hash));
        assertEquals(200, approved.status(), approved::body);
        JsonNode now = team(browser, "red");
        assertEquals(approved.json(), now, "the answer is what the list has");
        assertEquals(2.0, now.at("/weights/sources").path(SOURCE).asDouble());
        assertEquals("operators/o1", now.at("/approval/by").asText());
        assertEquals("approved", now.at("/proposals/0/state").asText());
        refused(browser.post(PATH, seen("red", id, hash)), 409, "compared with other weights");
        assertEquals(1, tuning.decisions("red").decisions().size());

        String at = now.at("/approval/at").asText();
        refused(undo(browser, "red", id, "2026-01-31T12:00:00Z"), 409, "Another approval is in use by now.");
        refused(undo(browser, "red", "ffffffff", at), 409, "Another approval is in use by now.");
        HttpReply undone = undo(browser, "red", id, at);
        assertEquals(200, undone.status(), undone::body);
        assertTrue(undone.json().path("approval").isMissingNode(), undone::body);
        assertEquals("undone", undone.json().at("/decisions/0/decision").asText());
        refused(undo(browser, "red", id, at), 409, "There is nothing to undo");
        String subject = " [\"" + id + "\"] operators/o1 allowed ";
        List<String> expected = List.of(
                "tuning/approve" + subject + "ok",
                "tuning/approve" + subject + "conflict",
                "tuning/undo" + subject + "conflict",
                "tuning/undo [\"ffffffff\"] operators/o1 allowed conflict",
                "tuning/undo" + subject + "ok",
                "tuning/undo" + subject + "conflict");
        Eventually.that(
                () -> changes().size() >= expected.size(), () -> changes().toString());

        // What the command decides has a line of its own, and that line comes after all those of the console.
        String other = proposed("red", 3).id();
        tuning.approve(other, "olga", NOON);
        Eventually.that(
                () -> changes().size() > expected.size(), () -> changes().toString());
        List<String> all = new ArrayList<>(expected);
        all.add("tuning/approve [\"" + other + "\"] red/olga allowed ok");
        assertEquals(all, changes());
    }

    @Test
    void anotherProposalThanTheOneSeenIsNotApproved() throws IOException {
        ConsoleClient browser = signedIn(operator);
        TuningProposal first = proposed("red", 2);
        TuningProposal second = proposed("red", 3);
        Path file = folder.resolve("insight/tuning/team-red/proposal-" + first.id() + ".json");
        String whole = Files.readString(file);
        Files.writeString(file, whole.replace("2.0", "50.0"));
        refused(
                browser.post(PATH, seen("red", first.id(), first.hash())),
                409,
                "Proposal " + first.id() + " is another one by now.");
        refused(browser.post(PATH, seen("red", second.id(), first.hash())), 409, "is another one by now.");
        assertEquals(RankingWeights.CONFIGURED, tuning.decisions("red").weights());
        Files.writeString(file, whole);

        // The command is faster: what was compared with other weights is refused.
        tuning.approve(second.id(), "olga", NOON);
        refused(browser.post(PATH, seen("red", first.id(), first.hash())), 409, "compared with other weights");
        assertEquals("outdated", state(browser, first.id()));
        // The approval that is seen is undone by another one, which was approved again.
        String at = team(browser, "red").at("/approval/at").asText();
        tuning.undo("red", "olga", NOON);
        tuning.approve(second.id(), "olga", NOON.plusSeconds(1));
        refused(undo(browser, "red", second.id(), at), 409, "Another approval is in use by now.");
        assertEquals(3.0, tuning.decisions("red").weights().factor(SOURCE));
    }

    @Test
    void whatWasComparedWithAnotherConfigurationIsNotApproved() throws IOException {
        ConsoleClient browser = signedIn(operator);
        TuningProposal other = tuning.propose(
                "red",
                found("red", 2),
                READS,
                new ConfiguredWeights(0.7, new TreeMap<>(Map.of("vectordb", 2.0))),
                NOON);
        assertEquals("outdated", state(browser, other.id()));
        refused(
                browser.post(PATH, seen("red", other.id(), other.hash())),
                409,
                "was compared with other weights in the configuration than those now (search.sources,"
                        + " search.fusion.similarity): run tune again, or switchboard tune approve --anyway");
        assertEquals(List.of(), tuning.decisions("red").decisions());
    }

    private HttpReply endTrial(ConsoleClient browser, String team, String proposal, String trial) {
        ObjectNode body =
                Json.object().put("team", team).put("proposal", proposal).put("trial", trial);
        return browser.send("DELETE", PATH + "/trial", Json.text(body));
    }

    @Test
    void anOperatorSeesATrialAndEndsTheOneThatWasSeen() throws IOException {
        ConsoleClient browser = signedIn(operator);
        String approved = proposed("red", 2).id();
        tuning.approve(approved, "olga", NOON);
        String id = proposed("red", 3).id();
        assertTrue(team(browser, "red").path("trial").isMissingNode(), "nothing is tried");
        TuningFolder.TrialPlan plan = new TuningFolder.TrialPlan("red", id, 0.25, Duration.ofDays(7));
        Instant now = Instant.now();
        String over = tuning.begin(plan, "olga", now).id();
        tuning.end("red", _ -> true, "olga", now);
        String trial = tuning.begin(plan, "olga", now).id();
        JsonNode shown = team(browser, "red").path("trial");
        assertEquals(trial, shown.path("id").asText(), shown::toString);
        assertEquals(id, shown.path("proposal").asText());
        assertEquals(0.25, shown.path("share").asDouble());
        assertEquals("olga", shown.path("by").asText());
        assertEquals(now.toString(), shown.path("at").asText());
        assertEquals(
                now.plus(Duration.ofDays(7)).toString(), shown.path("until").asText());
        assertEquals(
                "{\"searches\":0,\"compared\":0,\"keys\":0,\"won\":0,\"lost\":0,\"tied\":0,\"p\":1.0,"
                        + "\"verdict\":\"not_enough\",\"conclusion\":\"not enough yet; at least 10 queries with a winner and"
                        + " 3 keys are needed\"}",
                shown.path("outcome").toString());

        refused(endTrial(browser, "red", id, over), 409, "This trial is over already.");
        refused(endTrial(browser, "red", approved, trial), 409, "This trial is over already.");
        refused(endTrial(browser, "blue", id, trial), 404, "team: nothing was proposed");
        refused(endTrial(browser, "red", "", trial), 400, "proposal must be");
        refused(endTrial(browser, "red", id, ""), 400, "trial must be");
        assertEquals(405, browser.get(PATH + "/trial").status());
        refused(endTrial(signedIn(red), "red", id, trial), 403, "operators");
        ConsoleClient elsewhere = signedIn(operator).with("Sec-Fetch-Site", "cross-site");
        refused(endTrial(elsewhere, "red", id, trial), 403, "Sec-Fetch-Site");
        assertEquals(trial, team(browser, "red").at("/trial/id").asText(), "it goes on");

        HttpReply ended = endTrial(browser, "red", id, trial);
        assertEquals(200, ended.status(), ended::body);
        assertEquals(team(browser, "red"), ended.json(), "the answer is what the list has");
        assertTrue(ended.json().path("trial").isMissingNode(), ended::body);
        assertEquals(approved, ended.json().at("/approval/proposal").asText(), "what is in use stays");
        assertEquals(
                "operators/o1", tuning.trials("red").trials().getLast().end().by());
        refused(endTrial(browser, "red", id, trial), 409, "This trial is over already.");

        // Its end is in the audit log once, and what comes afterwards is behind it.
        TuningFolder.TrialPlan again = new TuningFolder.TrialPlan("red", id, 1, Duration.ofDays(1));
        tuning.begin(again, "otto", Instant.now());
        Eventually.that(
                () -> changes().stream().anyMatch(line -> line.startsWith("tuning/try ") && line.contains("red/otto")),
                () -> changes().toString());
        assertEquals(
                List.of("tuning/try_end [\"" + id + "\"] operators/o1 allowed ok"),
                changes().stream()
                        .filter(line -> line.startsWith("tuning/try_end") && line.endsWith("allowed ok"))
                        .filter(line -> !line.contains("red/olga"))
                        .toList());
        assertTrue(changes().stream().anyMatch(line -> line.startsWith("tuning/try_end") && line.endsWith("denied")));
    }

    private static String state(ConsoleClient browser, String id) {
        return team(browser, "red")
                .path("proposals")
                .valueStream()
                .filter(proposal -> proposal.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow()
                .path("state")
                .asText();
    }

    @Test
    void oneOfManyWhoApproveAtOnceDoes() throws IOException {
        List<TuningProposal> proposals = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            proposals.add(proposed("red", 2 + i));
        }
        ConsoleClient browser = signedIn(operator);
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (TuningProposal one : proposals) {
            answers.add(CompletableFuture.supplyAsync(() -> browser.post(PATH, seen("red", one.id(), one.hash()))
                            .status())
                    .orTimeout(1, TimeUnit.MINUTES));
        }
        assertEquals(
                List.of(200, 409, 409, 409, 409, 409, 409, 409),
                answers.stream().map(CompletableFuture::join).sorted().toList());
        assertEquals(1, tuning.decisions("red").decisions().size());
    }

    @Test
    void onlyOperatorsSeeAndDecide() throws IOException {
        TuningProposal proposal = proposed("red", 2);
        ObjectNode body = seen("red", proposal.id(), proposal.hash());
        ConsoleClient member = signedIn(red);
        refused(member.get(PATH), 403, "operators");
        refused(member.post(PATH, body), 403, "operators");
        refused(undo(member, "red", proposal.id(), "x"), 403, "operators");
        assertEquals(405, member.send("PUT", PATH, "{}").status());
        try (ConsoleClient nobody = new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            assertEquals(401, nobody.get(PATH).status());
            assertEquals(401, nobody.post(PATH, body).status());
        }
        ConsoleClient elsewhere = signedIn(operator).without("Sec-Fetch-Site");
        refused(elsewhere.post(PATH, body), 403, "Sec-Fetch-Site");
        elsewhere.with("Sec-Fetch-Site", "cross-site");
        refused(elsewhere.post(PATH, body), 403, "Sec-Fetch-Site");
        refused(undo(elsewhere, "red", proposal.id(), "x"), 403, "Sec-Fetch-Site");
        elsewhere.with("Sec-Fetch-Site", "same-origin").with("Origin", "https://evil.example");
        refused(elsewhere.post(PATH, body), 403, "Origin");
        assertEquals(List.of(), tuning.decisions("red").decisions());
        Eventually.that(() -> changes().size() == 2, () -> changes().toString());
        assertEquals(
                List.of("tuning/approve null red/r1 denied denied", "tuning/undo null red/r1 denied denied"),
                changes().stream()
                        .map(line -> line.replace(" [] ", " null ").replace("  ", " null "))
                        .toList());
    }

    @Test
    void aWrongFieldIsNamedAndNothingIsCreated() throws IOException {
        ConsoleClient browser = signedIn(operator);
        String id = proposed("red", 2).id();
        refused(browser.post(PATH, Json.object()), 400, "team must be");
        refused(browser.post(PATH, seen("red", "", "x")), 400, "id must be");
        refused(browser.post(PATH, seen("red", id, "")), 400, "hash must be");
        refused(undo(browser, "red", "", "x"), 400, "proposal must be");
        refused(undo(browser, "red", id, ""), 400, "at must be");
        refused(browser.send("POST", PATH, "[1]"), 400, "JSON");
        refused(browser.post(PATH, seen("red", "ffffffff", "x")), 404, "id: there is no proposal ffffffff");
        for (String team : List.of("", "other", "../red", "größe/..", "\u0000")) {
            refused(browser.post(PATH, seen(team, id, "x")), 404, "team: nothing was proposed");
            refused(undo(browser, team, id, "x"), 404, "team: nothing was proposed");
        }
        refused(browser.post(PATH, seen("red", "../../" + id, "x")), 404, "id: there is no proposal");
        assertEquals(413, browser.post(PATH, seen("red", "x".repeat(5000), "x")).status());
        assertEquals(List.of("red"), tuning.teams());
    }

    @Test
    @AsksForErrors("decisions.json can't be used")
    void damagedFilesAreSaid() throws IOException {
        ConsoleClient browser = signedIn(operator);
        TuningProposal good = proposed("red", 2);
        TuningProposal torn = proposed("red", 3);
        Path place = folder.resolve("insight/tuning/team-red");
        Files.writeString(place.resolve("proposal-" + torn.id() + ".json"), "{\"id\":");
        Files.copy(place.resolve("proposal-" + good.id() + ".json"), place.resolve("proposal-0123abcd.json"));
        Files.createDirectory(place.resolve("proposal-fedcba98.json"));
        Files.writeString(place.resolve("proposal-"), "");
        JsonNode team = team(browser, "red");
        assertEquals(1, team.path("proposals").size(), team::toString);
        assertEquals(3, team.path("damaged").size(), team::toString);
        refused(
                browser.post(PATH, seen("red", torn.id(), torn.hash())),
                409,
                "Proposal " + torn.id() + " is damaged: it is no JSON. Nothing was changed");
        refused(browser.post(PATH, seen("red", "0123abcd", good.hash())), 409, "is damaged: it is of another team");
        refused(browser.post(PATH, seen("red", "fedcba98", good.hash())), 503, "can't be read or written");

        Path decisions = place.resolve("decisions.json");
        for (String damage : List.of("", "{\"team\":", "[]", "{\"team\":\"blue\",\"decisions\":[]}")) {
            Files.writeString(decisions, damage);
            JsonNode shown = team(browser, "red");
            assertTrue(shown.path("problem").asText().contains("can't be read: "), shown::toString);
            assertTrue(shown.path("weights").isMissingNode(), "nothing is said of what is in use");
            refused(browser.post(PATH, seen("red", good.id(), good.hash())), 409, "can't be read: ");
            refused(undo(browser, "red", good.id(), "x"), 409, "can't be read: ");
            assertEquals(damage, Files.readString(decisions), "nothing is written over it");
        }
        Files.delete(decisions);
        assertEquals(
                200, browser.post(PATH, seen("red", good.id(), good.hash())).status());
        assertFalse(Files.exists(folder.resolve("insight/tuning/team-blue")));
    }
}
