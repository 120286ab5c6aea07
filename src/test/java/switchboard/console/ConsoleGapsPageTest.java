package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Browser;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console's page of what searches did not find, as operators read it: a real Chromium at a gateway with a log. */
@Tag("engines")
class ConsoleGapsPageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey OPERATOR = ApiKey.generate(new SecureRandom());
    private static final String LEAVE = "parental leave & holidays?";
    private static final int TIMES = 12;

    @TempDir
    static Path folder;

    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:*", "switchboard:search,read"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(RED.sha256(), OPERATOR.sha256()));
        HandClock clock = HandClock.ticking(Instant.parse("2026-10-01T10:00:00Z"));
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                insight: {teams: {red: {}}}
                backends: {vectordb: {type: vectordb}}
                """, folder, clock);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
        McpTestClient agent = gateway.modern().with("X-API-Key", RED.text());
        ConsolePages.put(agent, "handbook", "barge.md", "Barges", "A barge carries grain on the river.");
        ConsolePages.put(agent, "handbook", "wigs.md", "<i onpointerleave=confirm(2)>", "Horsehair.");
        clock.forward(Duration.ofDays(31));
        List<String> queries = new ArrayList<>(ConsolePages.ATTACKS);
        for (int i = 0; i < TIMES; i++) {
            queries.add(LEAVE);
        }
        for (String query : queries) {
            ToolResult found = agent.call("search_everywhere", Json.object().put("query", query));
            assertFalse(found.isError(), found::toString);
        }
        Eventually.that(() -> lines() == queries.size(), () -> lines() + " lines");
    }

    private static int lines() {
        List<String> lines = new ArrayList<>();
        try {
            new InsightFolder(folder).read("red", line -> lines.add(line.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.size();
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
        return pages.page("gaps" + query);
    }

    private static void open(String query) {
        browser.open(page(query));
        loaded();
    }

    private static void loaded() {
        browser.waitUntil("gaps are there", page -> page.findElement(By.cssSelector("main.gaps"))
                .getAttribute("aria-busy")
                .equals("false"));
    }

    private static String query() {
        return URI.create(browser.driver().getCurrentUrl()).getRawQuery();
    }

    private static List<String> navigation() {
        return pages.all("nav a").stream().map(WebElement::getText).toList();
    }

    @Test
    void anOperatorSeesWhatIsMissingAndLooksForIt() {
        pages.openSignedIn(OPERATOR, page(""));
        loaded();
        assertTrue(navigation().contains("Gaps"), navigation()::toString);
        String all = TIMES + ConsolePages.ATTACKS.size() + "";
        assertEquals(
                all + " of " + all + " searches gave nothing relevant, and led to nothing that was read.",
                pages.find(".page-head p").getText());
        WebElement first = pages.find(".gap");
        assertTrue(first.getText().contains("asked 12 times"), first::getText);
        assertTrue(first.getText().matches("(?s).*Week of .* \\d{4}: 12\\..*"), first::getText);
        assertEquals(List.of(LEAVE), texts(first, "a"));
        assertEquals(
                1 + ConsolePages.ATTACKS.size(),
                pages.all("[aria-labelledby=open-title] .gap").size());
        WebElement never = pages.find("section[aria-labelledby=never-title]");
        assertTrue(never.getText().contains("vectordb:handbook\n2 of 2"), never::getText);
        assertEquals(Set.of("Barges", "<i onpointerleave=confirm(2)>"), Set.copyOf(texts(never, "a")));
        pages.assertNothingRan();

        choose("#gaps-team", "operators");
        assertEquals("team=operators", query());
        assertTrue(pages.find(".read-only").getText().contains("insight.teams"), pages.text());
        assertTrue(pages.all(".gap").isEmpty());
        choose("#gaps-days", "90");
        assertEquals("team=operators&days=90", query());
        browser.driver().navigate().back();
        browser.driver().navigate().back();
        browser.waitUntil("all teams", _ -> !pages.all(".gap").isEmpty());
        WebElement relevance = pages.find("#gaps-relevance");
        relevance.sendKeys(Keys.chord(Keys.CONTROL, "a"), "0.75", Keys.TAB);
        browser.waitUntil("the address", _ -> "min_relevance=0.75".equals(query()));
        loaded();

        pages.find(".gap a").click();
        browser.waitUntil("the search", _ -> !pages.all("search-page").isEmpty());
        assertEquals("q=parental+leave+%26+holidays%3F", query());
        browser.waitUntil(
                "the query",
                page -> LEAVE.equals(page.findElement(By.cssSelector("#query")).getDomProperty("value")));
    }

    private static void choose(String field, String value) {
        pages.find(field + " option[value='" + value + "']").click();
        loaded();
    }

    private static List<String> texts(WebElement within, String selector) {
        return within.findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    @Test
    void nobodyElseSeesThePage() {
        browser.open(page(""));
        pages.signIn(RED);
        loaded();
        assertFalse(navigation().contains("Gaps"), navigation()::toString);
        assertTrue(navigation().contains("Usage"), navigation()::toString);
        assertTrue(pages.find(".error-note").getText().contains("search_gaps"), pages.text());
        assertFalse(pages.text().contains("holidays"), pages.text());
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        pages.openSignedIn(OPERATOR, page(""));
        loaded();
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("gaps", () -> open(""));
        states.put("gaps-unlogged", () -> open("?team=operators&days=365&min_relevance=2"));
        assertEquals(List.of(), pages.findings(states));
        assertEquals("365", pages.find("#gaps-days").getDomProperty("value"));
        assertEquals("0.5", pages.find("#gaps-relevance").getDomProperty("value"));
    }
}
