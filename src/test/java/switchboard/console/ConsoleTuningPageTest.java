package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.eval.PairedTest;
import switchboard.files.TeamFolders;
import switchboard.testing.Browser;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.WeightSearch;

/** The console's page of proposed weights, as operators use it: a real Chromium at a gateway with proposals. */
@Tag("engines")
@AsksForErrors("decisions.json can't be used")
class ConsoleTuningPageTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey OPERATOR = ApiKey.generate(new SecureRandom());
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final String ATTACKED = "blue " + ConsolePages.ATTACKS.get(1);

    @TempDir
    static Path folder;

    private static ConsolePages pages;
    private static Browser browser;
    private static TuningFolder tuning;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["switchboard:search,read"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(RED.sha256(), OPERATOR.sha256()));
        tuning = new TuningFolder(folder);
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                insight: {teams: {red: {}, empty: {}}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
        Map<String, Double> attacks = new TreeMap<>();
        ConsolePages.ATTACKS.forEach(attack -> attacks.put("v:" + attack, 2.0));
        TuningProposal approved = proposed(ATTACKED, attacks);
        tuning.approve(approved.id(), ConsolePages.ATTACKS.getFirst(), NOON);
        Path place = folder.resolve("insight/tuning").resolve(TeamFolders.name("torn"));
        Files.createDirectories(place);
        Files.writeString(
                place.resolve("proposal-" + ConsolePages.ATTACKS.get(4).replace('/', ' ') + ".json"), "{");
        Files.writeString(
                place.resolve("decisions.json"), "{\"team\":\"torn\",\"decisions\":[{\"decision\":\"<svg>\"}]}");
        Path odd = Files.createDirectories(folder.resolve("insight/tuning").resolve(TeamFolders.name("odd")));
        Files.writeString(
                odd.resolve("proposal-0000000a.json"),
                "{\"id\":\"0000000a\",\"team\":\"odd\",\"created\":\"2026-01-31T12:00:00Z\",\"before\":{\"sources\":{}},"
                        + "\"after\":{\"sources\":{}},\"ndcg10\":{\"held_back\":\"<svg>\",\"difference\":null}}");
    }

    private static TuningProposal proposed(String team, Map<String, Double> factors) throws IOException {
        return tuning.propose(
                team,
                new WeightSearch.FoundWeights(
                        tuning.decisions(team).weights(),
                        new RankingWeights(new TreeMap<>(factors), 0.5),
                        new WeightSearch.Measured(70, 0.5, 0.6),
                        new WeightSearch.Measured(30, 0.5, 0.625),
                        20,
                        new PairedTest(0.125, 0.05, 0.2, 0.001)),
                new TuningProposal.JudgedReads(1234, 4),
                CONFIGURED,
                NOON);
    }

    @AfterAll
    static void stop() {
        pages.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static URI page(String query) {
        return pages.page("tuning" + query);
    }

    private static void open(String query) {
        browser.open(page(query));
        loaded();
    }

    private static void loaded() {
        browser.waitUntil("proposals are there", page -> page.findElement(By.cssSelector("main.tuning"))
                .getAttribute("aria-busy")
                .equals("false"));
    }

    private static WebElement team(String name) {
        return pages.all("main section").stream()
                .filter(section -> name.equals(section.getDomAttribute("aria-label")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(pages.text()));
    }

    private static WebElement button(String label) {
        return pages.find("button[aria-label='" + label + "']");
    }

    private static void confirmed(String team) {
        WebElement dialog = pages.find("dialog[open]");
        assertEquals("Cancel", browser.driver().switchTo().activeElement().getText());
        assertTrue(dialog.getText().contains("The searches of " + team + " rank"), dialog::getText);
        browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        browser.waitUntil("it is done", _ -> pages.all("action-confirmation").isEmpty());
        loaded();
        assertEquals("Tuning", browser.driver().switchTo().activeElement().getText());
    }

    @Test
    void anOperatorApprovesAndUndoesWithTheKeyboard() throws IOException {
        TuningProposal proposal = proposed("red", Map.of("v:handbook", 2.0));
        String id = proposal.id();
        pages.openSignedIn(OPERATOR, page("?team=red"));
        loaded();
        assertTrue(pages.all("nav a").stream().anyMatch(link -> link.getText().equals("Tuning")), pages.text());
        WebElement red = team("red");
        assertEquals(1, pages.all("main section").size());
        assertTrue(red.getText().contains("Searches rank as the configuration says"), red::getText);
        assertTrue(red.getText().contains("Factor of v:handbook 1 2"), red::getText);
        assertTrue(red.getText().contains("Weight of the cosine 0.7 0.5"), red::getText);
        assertTrue(red.getText().contains("0.5000 → 0.6250 30 queries"), red::getText);
        assertTrue(red.getText().contains("+0.1250 [+0.0500, +0.2000] p 0.001"), red::getText);
        assertTrue(red.getText().contains("1,234 judgments of 4 keys"), red::getText);

        button("Approve " + id + " of red").sendKeys(Keys.ENTER);
        browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "nothing is done", _ -> pages.all("action-confirmation").isEmpty());
        assertEquals(List.of(), tuning.decisions("red").decisions());
        button("Approve " + id + " of red").sendKeys(Keys.ENTER);
        browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
        confirmed("red");
        assertEquals(
                "Proposal " + id + " is in use for red.",
                pages.find(".page-head p").getText());
        assertEquals(2.0, tuning.decisions("red").weights().factor("v:handbook"));
        red = team("red");
        assertTrue(red.getText().contains("by operators/o1."), red::getText);
        assertTrue(pages.all("button[aria-label^='Approve']").isEmpty(), pages.text());

        button("Undo " + id + " of red").sendKeys(Keys.SPACE);
        browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
        confirmed("red");
        assertEquals(RankingWeights.CONFIGURED, tuning.decisions("red").weights());
        assertEquals(2, tuning.decisions("red").decisions().size());

        // Another operator was faster: the dialog says so, and nothing is done.
        button("Approve " + id + " of red").sendKeys(Keys.ENTER);
        browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
        tuning.approve(id, "olga", NOON);
        pages.find("action-confirmation .primary").click();
        browser.waitUntil(
                "why not", _ -> !pages.all("action-confirmation .error-note").isEmpty());
        assertTrue(
                pages.find("action-confirmation .error-note").getText().contains("compared with other weights"),
                pages.text());
        pages.find("action-confirmation button:not(.primary)").click();
        loaded();
        browser.waitUntil("olga", _ -> team("red").getText().contains("by olga."));
        assertEquals(3, tuning.decisions("red").decisions().size());
        assertEquals(
                List.of("error: 409"),
                browser.errors().stream()
                        .map(error -> error.contains("409") ? "error: 409" : error)
                        .toList());
        tuning.undo("red", "olga", NOON);
    }

    private static void asked(String label, Keys key) {
        button(label).sendKeys(key);
        browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
    }

    @Test
    void anOperatorSeesATrialAndEndsItWithTheKeyboard() throws IOException {
        String id = proposed("green", Map.of("v:handbook", 2.0)).id();
        TuningFolder.TrialPlan plan = new TuningFolder.TrialPlan("green", id, 0.25, Duration.ofDays(14));
        tuning.begin(plan, ConsolePages.ATTACKS.get(2), Instant.now());
        pages.openSignedIn(OPERATOR, page("?team=green"));
        loaded();
        String end = "End the trial of " + id + " of green";
        WebElement green = team("green");
        for (String words : List.of(
                "Proposal " + id + " is tried in 25 % of the searches",
                "by " + ConsolePages.ATTACKS.get(2) + ", until ",
                "not enough yet; at least 10 queries",
                "0 sign test p 1.000",
                "0 0 compared, of 0 keys")) {
            assertTrue(green.getText().replace('\n', ' ').contains(words), green::getText);
        }
        pages.assertNothingRan();
        asked(end, Keys.ENTER);
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "nothing is done", _ -> pages.all("action-confirmation").isEmpty());
        loaded();
        assertTrue(running("green"));
        asked(end, Keys.SPACE);
        confirmed("green");
        assertFalse(running("green"));
        assertEquals(
                "Proposal " + id + " is not tried any more for green.",
                pages.find(".page-head p").getText());
        assertFalse(team("green").getText().contains("is tried"), pages.text());
        assertEquals(List.of(), tuning.decisions("green").decisions(), "nothing else is decided");

        // Another operator was faster: the dialog says so, and the trial that runs now goes on.
        tuning.begin(plan, "olga", Instant.now());
        open("?team=green");
        asked(end, Keys.ENTER);
        tuning.end("green", _ -> true, "olga", Instant.now());
        tuning.begin(plan, "olga", Instant.now());
        pages.find("action-confirmation .primary").click();
        browser.waitUntil(
                "why not", _ -> !pages.all("action-confirmation .error-note").isEmpty());
        assertTrue(pages.find("action-confirmation .error-note").getText().contains("over already"), pages.text());
        pages.find("action-confirmation button:not(.primary)").click();
        loaded();
        assertTrue(running("green"));
        assertTrue(browser.errors().stream().allMatch(error -> error.contains("409")), "what was refused only");
        tuning.undo("green", "olga", Instant.now());
        remove("green", id);
    }

    private static boolean running(String team) throws IOException {
        return tuning.trials(team)
                .running(Instant.now(), RankingWeights.CONFIGURED)
                .isPresent();
    }

    /** Other tests count the teams. */
    private static void remove(String team, String id) throws IOException {
        Path place = folder.resolve("insight/tuning").resolve(TeamFolders.name(team));
        Files.delete(place.resolve("proposal-" + id + ".json"));
        Files.deleteIfExists(place.resolve("trials.json"));
        Files.delete(place);
    }

    @Test
    void hostileNamesAndDamagedFilesAreOnlyText() {
        pages.openSignedIn(OPERATOR, page(""));
        loaded();
        WebElement blue = team(ATTACKED);
        ConsolePages.ATTACKS.forEach(attack -> assertTrue(blue.getText().contains("v:" + attack), blue::getText));
        assertTrue(blue.getText().contains("by " + ConsolePages.ATTACKS.getFirst()), blue::getText);
        WebElement torn = team("torn");
        assertTrue(
                torn.getText()
                        .contains("can’t be approved: "
                                + ConsolePages.ATTACKS.get(4).replace('/', ' ')),
                torn::getText);
        assertTrue(torn.getText().contains("\"<svg>\" is no decision"), torn::getText);
        assertTrue(torn.findElements(By.cssSelector("button")).isEmpty(), "nothing can be decided");
        assertTrue(team("odd").getText().contains("unknown [unknown, unknown]"), pages.text());
        assertTrue(team("odd").getText().contains("not recorded"), pages.text());
        assertTrue(team("empty").getText().contains("No proposal waits."), pages.text());
        pages.find("#tuning-team option[value='torn']").click();
        assertEquals("team=torn", URI.create(browser.driver().getCurrentUrl()).getRawQuery());
        assertEquals(1, pages.all("main section").size());
        browser.driver().navigate().back();
        browser.waitUntil("all teams", _ -> pages.all("main section").size() == 5);
        pages.assertNothingRan();
    }

    @Test
    void nobodyElseSeesThePage() {
        browser.open(page(""));
        pages.signIn(RED);
        loaded();
        assertFalse(pages.all("nav a").stream().anyMatch(link -> link.getText().equals("Tuning")), pages.text());
        assertTrue(pages.find(".error-note").getText().contains("operators"), pages.text());
        assertFalse(pages.text().contains("blue"), pages.text());
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() throws IOException {
        TuningProposal proposal = proposed("white", Map.of("v:" + "long-name-of-a-source-".repeat(8), 0.25));
        tuning.begin(
                new TuningFolder.TrialPlan("white", null, 0.5, Duration.ofDays(14)),
                "somebody-with-a-long-name-".repeat(8),
                Instant.now());
        try {
            pages.openSignedIn(OPERATOR, page(""));
            loaded();
            Map<String, Runnable> states = new LinkedHashMap<>();
            states.put("tuning", () -> {
                open("");
                pages.all("main details").forEach(fold -> fold.findElement(By.cssSelector("summary"))
                        .click());
            });
            states.put("tuning-none", () -> open("?team=unknown"));
            states.put("tuning-trial-dialog", () -> {
                open("?team=white");
                button("End the trial of " + proposal.id() + " of white").click();
                browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
            });
            states.put("tuning-dialog", () -> {
                open("?team=white");
                button("Approve " + proposal.id() + " of white").click();
                browser.waitUntil("the dialog", _ -> !pages.all("dialog[open]").isEmpty());
            });
            assertEquals(List.of(), pages.findings(states));
        } finally {
            remove("white", proposal.id());
        }
    }
}
