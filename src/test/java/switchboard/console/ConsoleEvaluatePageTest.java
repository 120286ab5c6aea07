package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.ConsoleClient;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** The page that measures searches, as a person uses it: judged queries with one or two answers each, and queries that are attacks. */
@Tag("engines")
class ConsoleEvaluatePageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());
    private static final String NO_INDEXES = "{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}";
    private static final String VERDICT = ".evaluation-verdict";
    /** One hit in A, ten in B. */
    private static final String TWO = "?s=vectordb&limit=1&b.limit=10&b.s=vectordb";

    private static final int QUERIES = 12;

    private static final CountDownLatch HELD = new CountDownLatch(1);
    private static volatile boolean holding;

    @TempDir
    static Path folder;

    private static FaultServer engine;
    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: r1, sha256: %s}], grants: ["*:*"]}
                  blue: {keys: [{id: b1, sha256: %s}], grants: ["*:read,search"]}
                """.formatted(RED.sha256(), BLUE.sha256()));
        engine = new FaultServer(socket -> {
            awaitRelease();
            FaultServer.json(NO_INDEXES).answer(socket);
        });
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  shop: {type: meilisearch, url: "%s", required: false}
                """.formatted(engine.url()), folder);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
        McpTestClient agent = gateway.modern().with("X-API-Key", RED.text());
        try (ConsoleClient red = new ConsoleClient(pages.page(""))) {
            assertEquals(200, red.signIn(RED.text()).status());
            for (int query = 0; query < QUERIES; query++) {
                String word = Character.toString('a' + query) + "lantern";
                for (String answer : List.of("first", "second")) {
                    String source = word + "-" + answer;
                    ConsolePages.put(agent, "notes", source, source, "The " + word + " is the " + answer + " of two.");
                    if (query < QUERIES / 2 || answer.equals("first")) {
                        judge(red, word, address(red, word, source));
                    }
                }
            }
            ConsolePages.put(agent, "more", "zlantern", "zlantern", "The zlantern is in another library.");
            judge(red, "zlantern", address(red, "zlantern", "zlantern"));
            for (String attack : ConsolePages.ATTACKS) {
                judge(red, attack, "switchboard://vectordb/notes/gone");
            }
        }
    }

    private static String address(ConsoleClient red, String word, String title) {
        try (McpTestClient mcp = red.mcp("")) {
            return mcp.call("search_everywhere", Json.object().put("query", word))
                    .structured()
                    .path("results")
                    .valueStream()
                    .filter(hit -> hit.path("title").asText().equals(title))
                    .map(hit -> hit.path("address").asText())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void judge(ConsoleClient red, String query, String address) {
        HttpReply kept = red.post(
                "api/v1/judgments",
                Json.object()
                        .put("query", query)
                        .put("address", address)
                        .put("title", "")
                        .put("answers", true));
        assertEquals(200, kept.status(), kept::body);
    }

    private static void awaitRelease() {
        if (holding) {
            try {
                HELD.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @AfterAll
    static void stop() {
        HELD.countDown();
        pages.close();
        engine.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static URI page(String query) {
        return pages.page("evaluate" + query);
    }

    private static void open(String query) {
        browser.open(page(query));
        browser.waitUntil("the form", _ -> pages.find(".evaluate-form .primary").isEnabled());
        browser.waitUntil("what can be searched", _ -> !pages.text().contains("Asking what can be searched"));
    }

    private static void evaluate(String query, String until) {
        open(query);
        pages.find(".evaluate-form .primary").click();
        browser.waitUntil(until, _ -> !pages.all(until).isEmpty());
    }

    @Test
    void aPersonJudgesEvaluatesTwoConfigurationsAndSeesWhichIsBetter() {
        browser.open(pages.page("search?q=alantern"));
        pages.signIn(RED);
        browser.waitUntil("hits", _ -> pages.all("hit-card").size() >= 2);
        browser.waitUntil("it can be judged", _ -> !pages.all(".verdict.no").isEmpty());
        List<WebElement> refusals = pages.all("hit-card .verdict.no");
        refusals.getLast().click();
        browser.waitUntil("it is judged", _ -> !pages.all(".verdict.no[aria-pressed=true]")
                .isEmpty());

        evaluate(TWO, VERDICT);
        String verdict = pages.find(VERDICT).getText();
        assertTrue(
                verdict.matches("(?s)B is better by 0\\.[0-9]{3} \\(95 %: 0\\.[0-9]{3} to 0\\.[0-9]{3}; p .*"),
                verdict);
        assertTrue(pages.find("#set").getText().contains("team-red (23 queries)"), pages.text());
        browser.waitUntil("the plot", _ -> !pages.all("console-plot canvas").isEmpty());
        assertEquals(Boolean.TRUE, pages.script("""
                const canvas = document.querySelector('console-plot canvas');
                const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return data.some((value, i) => i % 4 === 3 && value > 0);"""), "it has something on it");
        assertTrue(pages.text().contains("better in B, 0 better in A"), pages.text());
        assertEquals(23, pages.all(".queries tbody tr").size());
        pages.find("#show").findElement(By.cssSelector("option[value=better]")).click();
        browser.waitUntil("only some", _ -> pages.all(".queries tbody tr").size() < 23);
        assertTrue(browser.driver().getCurrentUrl().contains("show=better"), "it can be shared");
        for (WebElement difference : pages.all(".queries .difference")) {
            assertTrue(difference.getText().startsWith("+0."), difference.getText());
        }
        pages.find(".queries a").click();
        browser.waitUntil("both searches", _ -> pages.all("section.answer").size() == 2);
        browser.waitUntil(
                "the hits of both",
                _ -> pages.all("section.answer:nth-of-type(1) hit-card").size() == 1
                        && pages.all("section.answer:nth-of-type(2) hit-card").size() >= 2);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whatCouldBeChanceIsSaidToBe() {
        pages.openSignedIn(RED, page(""));
        evaluate("?s=vectordb&b.limit=10&b.s=vectordb", VERDICT);
        assertTrue(pages.find(VERDICT).getText().startsWith("A and B give the same for every query."), pages.text());
        assertTrue(pages.all("console-plot").isEmpty(), "there is nothing to see");
        evaluate("?s=vectordb%3Anotes&b.limit=10&b.s=vectordb", VERDICT);
        String verdict = pages.find(VERDICT).getText();
        assertTrue(
                verdict.startsWith(
                        "No difference that could not be chance: B − A is +0.043 (95 %: 0.000 to +0.130; p = "),
                verdict);
        assertEquals(1, pages.all("console-plot").size());
        pages.find("[aria-pressed=true]").click();
        browser.waitUntil(
                "it says that they are old", _ -> !pages.all(".outdated").isEmpty());
        evaluate("?s=vectordb", ".measures");
        assertEquals(1, pages.all(".measures tbody tr").size());
        assertTrue(pages.all(VERDICT + ", console-plot").isEmpty(), pages.text());
    }

    @Test
    void nothingThatAQuerySaysRuns() {
        pages.openSignedIn(RED, page(""));
        evaluate(TWO, ".queries");
        assertTrue(pages.text().contains("<script>window.attacked = 1</script>"), pages.text());
        pages.find(".plot-data summary").click();
        browser.waitUntil(
                "the table of the plot", _ -> !pages.all(".plot-table").isEmpty());
        pages.assertNothingRan();
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        pages.openSignedIn(RED, page(""));
        List<String> findings = new ArrayList<>(pages.findings(Map.of(
                "evaluate-two",
                        () -> {
                            evaluate(TWO, VERDICT);
                            browser.waitUntil("the plot", _ -> !pages.all("console-plot canvas")
                                    .isEmpty());
                        },
                "evaluate-refused", () -> evaluate("?s=nothing", ".error-note"))));
        open("?s=shop&deadline_ms=60000");
        holding = true;
        pages.find(".evaluate-form .primary").click();
        findings.addAll(pages.findings(Map.of(
                "evaluate-running",
                () -> browser.waitUntil("progress", _ -> pages.text().contains("0 of 23 queries")))));
        browser.driver().findElement(By.xpath("//button[.='Cancel']")).click();
        browser.waitUntil("it says so", _ -> pages.text().contains("Cancelled after 0 queries"));
        holding = false;
        HELD.countDown();
        browser.driver().manage().deleteAllCookies();
        pages.openSignedIn(BLUE, page(""));
        findings.addAll(pages.findings(Map.of(
                "evaluate-empty",
                () -> browser.waitUntil("how to begin", _ -> pages.text().contains("No query is judged yet")))));
        assertEquals(List.of(), findings);
        assertFalse(pages.all("a[href=search]").isEmpty(), "the way there");
    }
}
