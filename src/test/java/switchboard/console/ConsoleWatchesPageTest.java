package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
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
import switchboard.testing.Browser;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console's page of standing questions, as people use it: a real Chromium at a gateway that asks them. */
@Tag("engines")
class ConsoleWatchesPageTest {
    private static final Map<String, ApiKey> KEYS = Map.of(
            "ann", ApiKey.generate(new SecureRandom()),
            "bob", ApiKey.generate(new SecureRandom()),
            "many", ApiKey.generate(new SecureRandom()),
            "hostile", ApiKey.generate(new SecureRandom()),
            "off", ApiKey.generate(new SecureRandom()));
    private static final int MANY = 1000;

    @TempDir
    static Path folder;

    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: ann, sha256: %s}, {id: bob, sha256: %s}, {id: hostile, sha256: %s}], grants: ["switchboard:search,read", "vectordb:*"]}
                  many: {keys: [{id: many, sha256: %s}], grants: ["switchboard:search,read", "vectordb:*"]}
                  off: {keys: [{id: off, sha256: %s}], grants: ["switchboard:search,read", "vectordb:*"]}
                """.formatted(
                        key("ann").sha256(),
                        key("bob").sha256(),
                        key("hostile").sha256(),
                        key("many").sha256(),
                        key("off").sha256()));
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    red: {log: false, watches: {every: 7d, runsPerMinute: 6000}}
                    many: {log: false, watches: {most: 1000, every: 7d, runsPerMinute: 6000}}
                    off: {log: false}
                backends: {vectordb: {type: vectordb}}
                """, folder);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
        ConsolePages.put(agent("ann"), "handbook", "barge.md", "Barges", "A barge carries grain on the river.");
    }

    private static ApiKey key(String id) {
        return KEYS.getOrDefault(id, KEYS.get("ann"));
    }

    private static McpTestClient agent(String id) {
        return pages.gateway().modern().with("X-API-Key", key(id).text());
    }

    private static JsonNode ask(String id, ObjectNode arguments) {
        ToolResult answer = agent(id).call("watch_search", arguments);
        assertFalse(answer.isError(), answer::toString);
        return answer.structured().path("watches");
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
        return pages.page("watches" + query);
    }

    private static void open(String query) {
        browser.open(page(query));
        loaded();
    }

    private static void loaded() {
        browser.waitUntil(
                "the questions are there",
                _ -> !pages.all("main.watches").isEmpty()
                        && pages.all("main.watches[aria-busy=true], main.watches [aria-busy=true]")
                                .isEmpty());
    }

    private static String query() {
        return String.valueOf(URI.create(browser.driver().getCurrentUrl()).getQuery());
    }

    private static String said() {
        return pages.find(".page-head p").getText();
    }

    @Test
    void somebodyAsksReadsTheNewsAndEndsTheQuestion() {
        pages.openSignedIn(key("ann"), page(""));
        loaded();
        assertEquals("You have no standing question.", said());
        assertTrue(pages.text().contains("insight.teams.TEAM.watches"), pages.text());
        pages.find("new-watch summary").sendKeys(Keys.ENTER);
        pages.find("#watch-query").sendKeys("lantern oil");
        pages.find("#watch-sources").sendKeys("vectordb:handbook  vectordb:x*");
        pages.find("#watch-relevance").sendKeys("0.01");
        pages.find("#watch-note").sendKeys("for Jörg", Keys.ENTER);
        browser.waitUntil("the question", _ -> query().startsWith("watch=watch://"));
        loaded();
        browser.waitUntil("it is said", _ -> said().startsWith("The question is asked."));
        assertTrue(pages.text().contains("Nothing new was found"), pages.text());
        JsonNode asked = ask("ann", Json.object()).get(0);
        assertEquals("lantern oil", asked.path("query").asText());
        assertEquals(
                "[\"vectordb:handbook\",\"vectordb:x*\"]", asked.path("sources").toString());
        assertEquals(0.01, asked.path("min_relevance").asDouble());
        assertEquals("for Jörg", asked.path("note").asText());
        assertTrue(asked.path("last_news").isMissingNode(), asked::toString);

        ConsolePages.put(agent("ann"), "handbook", "lantern.md", "Lanterns", "Lantern oil burns for hours.");
        Eventually.that(
                () -> ask("ann", Json.object()).get(0).path("news_count").asInt() == 1, () -> "it is no news");
        assertFalse(ask("ann", Json.object()).get(0).path("last_news").asText().isEmpty());
        open("");
        WebElement row = pages.find("tbody tr");
        assertTrue(row.getText().contains("for Jörg"), row::getText);
        assertTrue(row.getText().contains("active"), row::getText);
        assertEquals("1", row.findElement(By.cssSelector(".amount")).getText());
        row.findElement(By.cssSelector("a")).sendKeys(Keys.ENTER);
        browser.waitUntil("the news", _ -> !pages.all(".gap .link").isEmpty());
        assertEquals("Watches", browser.driver().switchTo().activeElement().getText());
        pages.find(".gap .link").sendKeys(Keys.ENTER);
        browser.waitUntil("the document", page -> page.findElements(ConsolePages.PANEL).stream()
                .anyMatch(panel -> panel.getText().contains("burns for hours")));
        assertTrue(query().contains("&document=switchboard://vectordb/handbook/"), query());
        pages.closeDocument();

        pages.all(".held-head button").getLast().sendKeys(Keys.ENTER);
        browser.waitUntil("the dialog", _ -> !pages.all("action-confirmation dialog[open]")
                .isEmpty());
        assertTrue(
                pages.find("action-confirmation").getText().contains("“lantern oil” is asked no more"), pages.text());
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("it stays", _ -> pages.all("action-confirmation").isEmpty());
        assertEquals(1, ask("ann", Json.object()).size());
        pages.all(".held-head button").getLast().sendKeys(Keys.ENTER);
        browser.waitUntil("the dialog", _ -> !pages.all("action-confirmation dialog[open]")
                .isEmpty());
        browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        browser.waitUntil("it is said", _ -> said().equals("The question is ended."));
        assertEquals(0, ask("ann", Json.object()).size());
        assertEquals("null", query());
        pages.assertNothingRan();
    }

    @Test
    void hostileTextIsOnlyTextAndNobodyElseSeesIt() {
        for (String attack : ConsolePages.ATTACKS) {
            ask("hostile", Json.object().put("query", attack).put("note", attack));
        }
        pages.openSignedIn(key("hostile"), page(""));
        loaded();
        List<WebElement> links = pages.all(".watch-link");
        assertEquals(ConsolePages.ATTACKS.size(), links.size());
        for (String attack : ConsolePages.ATTACKS) {
            assertTrue(links.stream().anyMatch(link -> attack.equals(link.getText())), attack);
        }
        List<WebElement> notes = pages.all(".watch-note");
        assertEquals(ConsolePages.ATTACKS.size(), notes.size());
        links.getFirst().click();
        browser.waitUntil("the question", _ -> !pages.all("#watch-title[dir]").isEmpty());
        String uri = query().substring("watch=".length());
        pages.assertNothingRan();

        pages.asAtAFirstVisit();
        pages.openSignedIn(key("bob"), page("?watch=" + uri));
        loaded();
        browser.waitUntil("it is not his", _ -> !pages.all(".error-note").isEmpty());
        assertTrue(pages.find(".error-note").getText().contains("You have no standing question"), pages.text());
        assertTrue(pages.all("#watch-title[dir]").isEmpty());
    }

    @Test
    void aThousandQuestionsAreShownInPartsAndFound() {
        for (int i = 0; i < MANY; i++) {
            ask("many", Json.object().put("query", "question number " + i).put("note", "note" + i % 7));
        }
        pages.openSignedIn(key("many"), page(""));
        loaded();
        assertEquals("1,000 questions.", said());
        assertEquals(100, pages.all("tbody tr").size());
        pages.find(".more").click();
        browser.waitUntil("more", _ -> pages.all("tbody tr").size() == 200);
        pages.find("#watches-filter").sendKeys("NUMBER 999", Keys.TAB);
        browser.waitUntil("one", _ -> pages.all("tbody tr").size() == 1);
        assertEquals(
                "filter=NUMBER+999",
                URI.create(browser.driver().getCurrentUrl()).getRawQuery());
        browser.driver().navigate().back();
        browser.waitUntil("all", _ -> pages.all("tbody tr").size() == 100);
    }

    @Test
    void whoseTeamHasNoneReadsHowThatIsSwitchedOn() {
        pages.openSignedIn(key("off"), page(""));
        loaded();
        assertTrue(
                pages.find(".read-only").getText().contains("Standing questions are off for your team."), pages.text());
        assertTrue(pages.find(".read-only").getText().contains("insight.teams.off.watches"), pages.text());
        assertTrue(pages.all("new-watch").isEmpty(), "nothing can be asked");
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        String long1 = "unbroken".repeat(30);
        JsonNode asked = ask("bob", Json.object().put("query", long1 + " grain").put("note", long1));
        String uri = asked.get(0).path("watch").asText();
        try {
            pages.openSignedIn(key("bob"), page(""));
            loaded();
            Map<String, Runnable> states = new LinkedHashMap<>();
            states.put("watches", () -> {
                open("");
                pages.find("new-watch summary").click();
            });
            states.put("watches-none", () -> open("?filter=nothing+has+this"));
            states.put("watches-detail", () -> open("?watch=" + uri));
            states.put("watches-end", () -> {
                open("?watch=" + uri);
                pages.all(".held-head button").getLast().click();
                browser.waitUntil("the dialog", _ -> !pages.all("action-confirmation dialog[open]")
                        .isEmpty());
            });
            assertEquals(List.of(), pages.findings(states));
        } finally {
            ask("bob", Json.object().put("watch", uri).put("end", true));
        }
    }
}
