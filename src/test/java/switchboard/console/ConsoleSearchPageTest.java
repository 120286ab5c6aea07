package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
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

    @TempDir
    static Path folder;

    private static ConsolePages pages;
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
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot}
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d"}
                """.formatted(Programs.freePort()), folder);
        McpTestClient agent = gateway.modern().with("X-API-Key", RED.text());
        for (int page = 0; page < 8; page++) {
            ConsolePages.put(
                    agent, "handbook", "page" + page, "Harbour handbook, page " + page, """
                    The harbour master lights the lantern on pier %d when fog comes in. Boats wait outside until the bell rings twice.

                    Größe und Gewicht der Laterne: siehe Anhang %d. 灯台の光は遠くまで届く。
                    """.formatted(page, page));
        }
        ConsolePages.put(
                agent,
                "code",
                "Lantern.java",
                "Lantern.java",
                "class Lantern {\n    /** Lights it. */\n    void light() {\n        int x = 1 < 2 ? 3 : 4;\n    }\n}\n");
        for (int attack = 0; attack < ConsolePages.ATTACKS.size(); attack++) {
            ConsolePages.put(
                    agent,
                    "odd " + ConsolePages.ATTACKS.get(attack),
                    ConsolePages.ATTACKS.get(attack),
                    ConsolePages.ATTACKS.get(attack),
                    "attackword " + ConsolePages.ATTACKS.get(attack));
        }
        ToolResult remembered = agent.call(
                "memory_store",
                Json.object()
                        .put("content", "The lantern of the harbour was repaired in spring.")
                        .put("category", "fact"));
        assertFalse(remembered.isError(), remembered::toString);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
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
        return pages.page("search" + query);
    }

    private static URI search(String words) {
        return page("?q=" + URLEncoder.encode(words, StandardCharsets.UTF_8));
    }

    private static void hits(int least) {
        browser.waitUntil(least + " hits", page -> page.findElements(HITS).size() >= least);
        browser.waitUntil("all have answered", page -> page.findElements(By.cssSelector(".chip.waiting"))
                .isEmpty());
    }

    @Test
    void aPersonSignsInSearchesReadsJudgesAndSignsOut() throws IOException {
        browser.open(search("lantern fog"));
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
        pages.find("#key").sendKeys("sbk_wrong", Keys.ENTER);
        browser.waitUntil(
                "why not",
                page -> page.findElement(By.id("key-error")).getText().contains("not known"));
        pages.find("#key").clear();
        pages.signIn(RED);
        hits(3);
        assertTrue(pages.text().contains("Harbour handbook"), pages.text());
        assertFalse(
                browser.driver().findElements(By.cssSelector("hit-card mark")).isEmpty(), "words are marked");
        assertTrue(
                pages.find(".chip.error").getText().contains("shop"), "the one that is down is named: " + pages.text());

        pages.find("hit-card .hit-title").click();
        browser.waitUntil(
                "the document",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("bell rings twice"));
        assertTrue(browser.driver().getCurrentUrl().contains("open="), "it can be shared");
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("the panel is closed", page -> page.findElements(ConsolePages.PANEL)
                .isEmpty());

        pages.find("hit-card .verdict.yes").click();
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
        long bytes = (Long) pages.script(
                "return performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize || 0), 0)");
        assertTrue(bytes > 10_000 && bytes < 100_000, () -> bytes + " bytes");
    }

    @Test
    void theAddressKeepsTheSearchAndBackAndForwardGoThroughIt() {
        pages.openSignedIn(RED, page(""));
        browser.waitUntil("what can be searched", page -> pages.text().contains("sources of"));
        pages.find("#query").sendKeys("lantern", Keys.ENTER);
        hits(3);
        String first = browser.driver().getCurrentUrl();
        WebElement box = pages.find("#query");
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
        pages.openSignedIn(RED, page("?q=lantern&limit=5&b.limit=2&b.s=vectordb%3Ahandbook"));
        browser.waitUntil(
                "both answers",
                page -> page.findElements(By.cssSelector("section.answer")).size() == 2
                        && page.findElements(By.cssSelector("section.answer:nth-of-type(2) hit-card"))
                                        .size()
                                == 2);
        browser.waitUntil(
                "how hits moved",
                page -> page.findElement(By.cssSelector(".summary")).getText().contains("in both"));
        assertFalse(browser.driver().findElements(By.cssSelector(".moved")).isEmpty(), pages.text());
    }

    @Test
    void hitsSayWhyTheyRankInEachConfiguration() {
        pages.openSignedIn(RED, page("?q=lantern%20fog&b.mode=keyword&b.w=vectordb%3Ahandbook%3D0.5"));
        String inB = "section.answer:nth-of-type(2) ";
        browser.waitUntil("both answers", page -> page.findElements(By.cssSelector("section.answer")).stream()
                .allMatch(side -> !side.findElements(HITS).isEmpty()));
        assertTrue(
                pages.find(inB + "ranking-choices .now").getText().equals("words only · vectordb:handbook × 0.5"),
                pages.text());
        WebElement why = browser.driver().findElements(By.cssSelector(inB + "hit-card")).stream()
                .filter(hit ->
                        hit.findElement(By.cssSelector(".source-tag")).getText().equals("vectordb:handbook"))
                .findFirst()
                .orElseThrow()
                .findElement(By.cssSelector(".ranks"));
        why.findElement(By.cssSelector("summary")).sendKeys(Keys.ENTER);
        browser.waitUntil(
                "the bars", _ -> why.findElement(By.cssSelector(".parts")).isDisplayed());
        List<String> lines =
                why.findElement(By.cssSelector(".parts")).getText().lines().toList();
        assertEquals("Keywords", lines.get(0), lines::toString);
        assertEquals("Source weight", lines.get(2), lines::toString);
        double keywords = Double.parseDouble(lines.get(1));
        assertEquals(-keywords / 2, Double.parseDouble(lines.get(3).replace('−', '-')), 1e-4, lines::toString);
        String score = why.findElement(By.cssSelector("p")).getText();
        assertEquals(keywords / 2, Double.parseDouble(score.replace("Score ", "")), 1e-4, score);
        assertTrue(why.getText().contains("Words that match: lantern, fog"), why.getText());
        assertTrue(why.getText().contains("Score in vectordb:handbook"), why.getText());

        pages.find("section.answer ranking-choices summary").click();
        pages.find("#mode-A option[value=vector]").click();
        browser.waitUntil("it is in the address", page -> page.getCurrentUrl().contains("&mode=vector"));
        browser.waitUntil(
                "only cosines count",
                page -> page.findElements(By.cssSelector("section.answer:nth-of-type(1) .ranks")).stream()
                        .findFirst()
                        .map(first -> first.getDomProperty("textContent"))
                        .filter(text -> text.contains("Cosine") && !text.contains("Keywords"))
                        .isPresent());
    }

    @Test
    void nothingThatADocumentSaysRuns() {
        pages.openSignedIn(RED, search("attackword"));
        hits(ConsolePages.ATTACKS.size() - 2);
        assertTrue(
                pages.text().contains("<script>window.attacked = 1</script>"), "it is shown as text: " + pages.text());
        for (WebElement title : List.copyOf(browser.driver().findElements(By.cssSelector(".hit-title")))
                .subList(0, 3)) {
            title.click();
            browser.waitUntil(
                    "the document",
                    page -> page.findElement(ConsolePages.PANEL).getText().contains("attackword"));
            browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
            browser.waitUntil("the panel is closed", page -> page.findElements(ConsolePages.PANEL)
                    .isEmpty());
        }
        pages.assertNothingRan();
    }

    @Test
    void aPersonOfAnotherTeamFindsNothingOfIt() {
        browser.open(search("lantern"));
        pages.signIn(BLUE);
        browser.waitUntil("an answer", page -> page.findElements(By.cssSelector(".placeholders, progress"))
                .isEmpty());
        assertFalse(pages.text().contains("Harbour handbook"), pages.text());
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        pages.openSignedIn(RED, search("lantern"));
        hits(3);
        Map<String, Runnable> states = Map.of(
                "start", () -> openAndWait(page(""), ".tips"),
                "results", () -> openAndWait(search("lantern fog"), "hit-card"),
                "nothing", () -> openAndWait(page("?q=zzzzqqqq&min_relevance=1"), ".nothing, .note, [role=alert]"),
                "compare",
                        () -> {
                            openAndWait(
                                    page("?q=lantern&b.mode=keyword&b.w=vectordb%3Ahandbook%3D0.5"),
                                    "section.answer:nth-of-type(2) hit-card");
                            pages.script("document.querySelectorAll('.ranks').forEach(why => { why.open = true; })");
                        },
                "document",
                        () -> {
                            openAndWait(search("lantern fog"), "hit-card");
                            pages.find("hit-card .hit-title").click();
                            browser.waitUntil("the document", page -> page.findElement(ConsolePages.PANEL)
                                    .getText()
                                    .contains("bell"));
                        });
        assertEquals(List.of(), pages.findings(states));
        browser.driver().manage().deleteAllCookies();
        assertEquals(List.of(), pages.findings(Map.of("sign-in", () -> openAndWait(page(""), "#key"))));
    }

    private static void openAndWait(URI url, String selector) {
        browser.open(url);
        browser.waitUntil(
                selector, page -> !page.findElements(By.cssSelector(selector)).isEmpty());
        browser.waitUntil("nothing is under way", page -> page.findElements(By.cssSelector("progress, .loading"))
                .isEmpty());
    }
}
