package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.Browser;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console's search page, as a person uses it: a real Chromium at a gateway with four sources, one of which is down. */
@Tag("engines")
class ConsoleSearchPageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());
    private static final By HITS = By.cssSelector("hit-card");
    private static final By PANEL = By.cssSelector("dialog.panel[open]");

    /** Texts that would run if one of them came into a page as anything but text. */
    private static final List<String> ATTACKS = List.of(
            "<script>window.attacked = 1</script>",
            "<img src=x onerror=\"window.attacked = 1\">",
            "<svg/onload=window.attacked=1>",
            "\"><iframe srcdoc=\"<script>parent.attacked = 1</script>\"></iframe>",
            "' autofocus onfocus=window.attacked=1 x='",
            "javascript:window.attacked=1",
            "${window.attacked = 1}{{constructor.constructor('window.attacked = 1')()}}",
            "</textarea></title></style><script>window.attacked = 1</script>",
            "<a href=\"javascript:window.attacked=1\">lantern</a>",
            "<base href=\"https://evil.example/\"><meta http-equiv=refresh content=\"0;url=https://evil.example/\">");

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["*:*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["agentroot:read,search", "switchboard:read,search"]
                """.formatted(RED.sha256(), BLUE.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot}
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d"}
                """.formatted(Programs.freePort()), folder);
        McpTestClient agent = gateway.modern().with("X-API-Key", RED.text());
        for (int page = 0; page < 8; page++) {
            put(agent, "handbook", "page" + page, "Harbour handbook, page " + page, """
                    The harbour master lights the lantern on pier %d when fog comes in. Boats wait outside until the bell rings twice.

                    Größe und Gewicht der Laterne: siehe Anhang %d. 灯台の光は遠くまで届く。
                    """.formatted(page, page));
        }
        put(
                agent,
                "code",
                "Lantern.java",
                "Lantern.java",
                "class Lantern {\n    /** Lights it. */\n    void light() {\n        int x = 1 < 2 ? 3 : 4;\n    }\n}\n");
        for (int attack = 0; attack < ATTACKS.size(); attack++) {
            put(
                    agent,
                    "odd " + ATTACKS.get(attack),
                    ATTACKS.get(attack),
                    ATTACKS.get(attack),
                    "attackword " + ATTACKS.get(attack));
        }
        ToolResult remembered = agent.call(
                "memory_store",
                Json.object()
                        .put("content", "The lantern of the harbour was repaired in spring.")
                        .put("category", "fact"));
        assertFalse(remembered.isError(), remembered::toString);
        browser = Browser.start();
    }

    private static void put(McpTestClient agent, String library, String source, String title, String text) {
        ObjectNode document = Json.object()
                .put("library", library)
                .put("source", source)
                .put("title", title)
                .put("content", text);
        document.putObject("metadata").put("note", source);
        ToolResult stored = agent.call("ingest_text", document);
        assertFalse(stored.isError(), stored::toString);
    }

    @AfterAll
    static void stop() {
        browser.close();
        gateway.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        browser.size(1440, 900);
        browser.darkMode(false);
        browser.driver().manage().deleteAllCookies();
    }

    private static URI page(String query) {
        return gateway.app().consoleUrl().orElseThrow().resolve("search" + query);
    }

    private static URI search(String words) {
        return page("?q=" + URLEncoder.encode(words, StandardCharsets.UTF_8));
    }

    private static WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    private static void signIn(ApiKey key) {
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
        find("#key").sendKeys(key.text(), Keys.ENTER);
        browser.waitUntil("the search", page -> page.findElement(By.id("query")).isDisplayed());
    }

    private static void openSignedIn(URI url) {
        browser.open(url);
        signIn(RED);
        browser.open(url);
    }

    private static void hits(int least) {
        browser.waitUntil(least + " hits", page -> page.findElements(HITS).size() >= least);
        browser.waitUntil("all have answered", page -> page.findElements(By.cssSelector(".chip.waiting"))
                .isEmpty());
    }

    private static String text() {
        return find("body").getText();
    }

    @Test
    void aPersonSignsInSearchesReadsJudgesAndSignsOut() throws IOException {
        browser.open(search("lantern fog"));
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
        find("#key").sendKeys("sbk_wrong", Keys.ENTER);
        browser.waitUntil(
                "why not",
                page -> page.findElement(By.id("key-error")).getText().contains("not known"));
        find("#key").clear();
        signIn(RED);
        hits(3);
        assertTrue(text().contains("Harbour handbook"), text());
        assertFalse(
                browser.driver().findElements(By.cssSelector("hit-card mark")).isEmpty(), "words are marked");
        assertTrue(find(".chip.error").getText().contains("shop"), "the one that is down is named: " + text());

        find("hit-card .hit-title").click();
        browser.waitUntil(
                "the document", page -> page.findElement(PANEL).getText().contains("bell rings twice"));
        assertTrue(browser.driver().getCurrentUrl().contains("open="), "it can be shared");
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "the panel is closed", page -> page.findElements(PANEL).isEmpty());

        find("hit-card .verdict.yes").click();
        browser.waitUntil("it is judged", page -> "true"
                .equals(page.findElement(By.cssSelector("hit-card .verdict.yes"))
                        .getAttribute("aria-pressed")));
        Path set = folder.resolve("judgments/team-red");
        Eventually.that(() -> Files.exists(set.resolve("qrels.tsv")), () -> "the judgment is kept");
        assertEquals(
                List.of("lantern fog"),
                List.copyOf(JudgedSet.read(set).queries().values()));
        browser.driver().navigate().refresh();
        hits(3);
        browser.waitUntil(
                "it is still judged", page -> !page.findElements(By.cssSelector(".verdict.yes[aria-pressed=true]"))
                        .isEmpty());

        browser.driver().findElement(By.xpath("//button[.='Sign out']")).click();
        browser.waitUntil(
                "it says so",
                page -> page.findElement(By.cssSelector("main")).getText().contains("You are signed out"));
        browser.driver().navigate().refresh();
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
    }

    @Test
    void aFirstVisitLoadsLittle() {
        browser.open(page(""));
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
        long bytes = (Long) ((JavascriptExecutor) browser.driver())
                .executeScript(
                        "return performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize || 0), 0)");
        assertTrue(bytes > 10_000 && bytes < 100_000, () -> bytes + " bytes");
    }

    @Test
    void theAddressKeepsTheSearchAndBackAndForwardGoThroughIt() {
        openSignedIn(page(""));
        browser.waitUntil("what can be searched", page -> text().contains("sources of"));
        find("#query").sendKeys("lantern", Keys.ENTER);
        hits(3);
        String first = browser.driver().getCurrentUrl();
        WebElement box = find("#query");
        box.clear();
        box.sendKeys("nothinghasthisword", Keys.ENTER);
        browser.waitUntil("other hits, or none", page -> !page.getCurrentUrl().equals(first));
        browser.driver().navigate().back();
        browser.waitUntil(
                "the first again",
                page -> page.getCurrentUrl().equals(first)
                        && page.findElement(By.id("query"))
                                .getAttribute("value")
                                .equals("lantern"));
        hits(3);
    }

    @Test
    void twoConfigurationsStandSideBySide() {
        openSignedIn(page("?q=lantern&limit=5&b.limit=2&b.s=vectordb%3Ahandbook"));
        browser.waitUntil(
                "both answers",
                page -> page.findElements(By.cssSelector("section.answer")).size() == 2
                        && page.findElements(By.cssSelector("section.answer:nth-of-type(2) hit-card"))
                                        .size()
                                == 2);
        browser.waitUntil(
                "how hits moved",
                page -> page.findElement(By.cssSelector(".summary")).getText().contains("in both"));
        assertFalse(browser.driver().findElements(By.cssSelector(".moved")).isEmpty(), text());
    }

    @Test
    void nothingThatADocumentSaysRuns() {
        openSignedIn(search("attackword"));
        hits(ATTACKS.size() - 2);
        assertTrue(text().contains("<script>window.attacked = 1</script>"), "it is shown as text: " + text());
        for (WebElement title : List.copyOf(browser.driver().findElements(By.cssSelector(".hit-title")))
                .subList(0, 3)) {
            title.click();
            browser.waitUntil(
                    "the document", page -> page.findElement(PANEL).getText().contains("attackword"));
            browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
            browser.waitUntil(
                    "the panel is closed", page -> page.findElements(PANEL).isEmpty());
        }
        assertEquals(List.of(), browser.errors());
        assertEquals(
                Boolean.TRUE,
                ((JavascriptExecutor) browser.driver()).executeScript("return window.attacked === undefined"));
        assertOnlyTheConsoleWasAsked();
    }

    private static void assertOnlyTheConsoleWasAsked() {
        String console = page("").resolve("/").toString();
        for (String url : browser.requests()) {
            assertTrue(url.startsWith(console) || url.startsWith("data:"), url);
        }
    }

    @Test
    void aPersonOfAnotherTeamFindsNothingOfIt() {
        browser.open(search("lantern"));
        signIn(BLUE);
        browser.waitUntil("an answer", page -> page.findElements(By.cssSelector(".placeholders, progress"))
                .isEmpty());
        assertFalse(text().contains("Harbour handbook"), text());
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openSignedIn(search("lantern"));
        hits(3);
        List<String> findings = new ArrayList<>();
        Map<String, Runnable> states = Map.of(
                "start", () -> openAndWait(page(""), ".tips"),
                "results", () -> openAndWait(search("lantern fog"), "hit-card"),
                "nothing", () -> openAndWait(page("?q=zzzzqqqq&min_relevance=1"), ".nothing, .note, [role=alert]"),
                "compare", () -> openAndWait(page("?q=lantern&b.limit=2"), "section.answer:nth-of-type(2) hit-card"),
                "document",
                        () -> {
                            openAndWait(search("lantern fog"), "hit-card");
                            find("hit-card .hit-title").click();
                            browser.waitUntil(
                                    "the document",
                                    page -> page.findElement(PANEL).getText().contains("bell"));
                        },
                "sign-in",
                        () -> {
                            browser.driver().manage().deleteAllCookies();
                            openAndWait(page(""), "#key");
                        });
        for (String state : List.of("start", "results", "nothing", "compare", "document", "sign-in")) {
            for (boolean phone : List.of(false, true)) {
                if (phone) {
                    browser.phone();
                } else {
                    browser.size(1440, 900);
                }
                for (boolean dark : List.of(false, true)) {
                    browser.darkMode(dark);
                    states.get(state).run();
                    String name = "console-" + state + (phone ? "-phone" : "") + (dark ? "-dark" : "");
                    browser.screenshot(name);
                    browser.accessibilityFindings().forEach(finding -> findings.add(name + ": " + finding));
                    expectedErrors(state).forEach(error -> findings.add(name + ": " + error));
                    if (browser.scrollsSideways()) {
                        findings.add(name + " is wider than its window");
                    }
                    assertOnlyTheConsoleWasAsked();
                }
            }
        }
        assertEquals(List.of(), findings);
    }

    /** Who is not signed in is told by 401, which the browser itself reports. */
    private static List<String> expectedErrors(String state) {
        return browser.errors().stream()
                .filter(error -> !(state.equals("sign-in") && error.contains("401")))
                .toList();
    }

    private static void openAndWait(URI url, String selector) {
        browser.open(url);
        browser.waitUntil(
                selector, page -> !page.findElements(By.cssSelector(selector)).isEmpty());
        browser.waitUntil("nothing is under way", page -> page.findElements(By.cssSelector("progress, .loading"))
                .isEmpty());
    }
}
