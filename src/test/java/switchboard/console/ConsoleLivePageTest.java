package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
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
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.FaultServer;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;

/** The console's page of calls, as people watch it: a real Chromium at a gateway that agents of three teams call. */
@Tag("engines")
class ConsoleLivePageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());
    private static final ApiKey OPERATOR = ApiKey.generate(new SecureRandom());
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final int BATCH = 50;

    @TempDir
    static Path folder;

    private static FaultServer engine;
    private static ConsolePages pages;
    private static Browser browser;
    private static McpTestClient red;
    private static McpTestClient blue;

    @BeforeAll
    static void start() throws IOException {
        engine = new FaultServer(FaultServer.json("{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}"));
        teams("read,search", RED.sha256());
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s", required: false}
                """.formatted(engine.url()), folder);
        red = gateway.modern().with("X-API-Key", RED.text());
        blue = gateway.modern()
                .with("X-API-Key", BLUE.text())
                .with("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    private static void teams(String blueAtGateway, String redKey) throws IOException {
        ReplacedFile.write(
                folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search"]}
                  blue: {keys: [{id: blue1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search", "switchboard:%s"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(redKey, BLUE.sha256(), blueAtGateway, OPERATOR.sha256()));
    }

    @AfterAll
    static void stop() {
        pages.close();
        engine.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static URI page(String query) {
        return pages.page("live" + query);
    }

    private static void openSignedIn(ApiKey key, String query) {
        pages.openSignedIn(key, page(query));
        live();
    }

    private static void open(String query) {
        browser.open(page(query));
        live();
    }

    private static void live() {
        browser.waitUntil(
                "the connection", _ -> pages.find(".connection").getText().equals("live"));
    }

    private static void call(McpTestClient agent, String... tools) {
        for (String tool : tools) {
            ObjectNode params = Json.object().put("name", tool);
            params.putObject("arguments");
            assertEquals(200, agent.request("tools/call", params).status());
        }
    }

    /** The tools of the rows, the first one first. */
    private static List<String> tools() {
        @SuppressWarnings("unchecked")
        List<String> tools = (List<String>) pages.script(
                "return [...document.querySelectorAll('.calls .tool button')].map(one => one.textContent.trim())");
        return tools;
    }

    private static String newest() {
        return tools().stream().findFirst().orElse("");
    }

    private static void shows(String... tools) {
        browser.waitUntil(List.of(tools) + " are shown", _ -> tools().equals(List.of(tools)));
    }

    private static void fill(String field, String text) {
        pages.find(field).sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, text);
    }

    private static void choose(String field, String value) {
        pages.find(field + " option[value='" + value + "']").click();
    }

    /** By batches, which MCP 2025-03-26 has. */
    private static void manyCalls(int count, String name) {
        try (McpTestClient agent =
                McpTestClient.legacy(pages.gateway().url(), "2025-03-26", Map.of("X-API-Key", RED.text()))) {
            for (int made = 0; made < count; made += BATCH) {
                ArrayNode batch = Json.mapper().createArrayNode();
                for (int call = 0; call < BATCH; call++) {
                    ObjectNode request = batch.addObject()
                            .put("jsonrpc", "2.0")
                            .put("id", call)
                            .put("method", "tools/call");
                    request.putObject("params").put("name", name).putObject("arguments");
                }
                assertEquals(200, agent.post(batch.toString(), Map.of()).status());
            }
        }
    }

    @Test
    void callsAppearAndOneSaysWhereItsTimeWent() {
        openSignedIn(OPERATOR, "?tool=list_&team=blue");
        int before = tools().size();
        call(blue, "meilisearch_list_indexes", "list_libraries");
        browser.waitUntil("both are there", _ -> tools().size() == before + 2);
        assertEquals(List.of("list_libraries", "meilisearch_list_indexes"), tools().subList(0, 2));
        String rate = pages.find(".rate").getText();
        assertTrue(Double.parseDouble(rate) > 0, rate);
        assertEquals("off", pages.find(".calls").getAttribute("aria-live"));

        pages.all(".calls .tool button").get(1).sendKeys(Keys.ENTER);
        browser.waitUntil(
                "the call", page -> page.findElement(ConsolePages.PANEL).isDisplayed());
        String detail = browser.driver().findElement(ConsolePages.PANEL).getText();
        for (String part : List.of(
                "blue1", "allowed", "in the queue", "in the backend", TRACE, "whole call", "meilisearch engine GET")) {
            assertTrue(detail.contains(part), part + " is not in " + detail);
        }
        assertTrue(pages.all(".waterfall .step-bar .engine").size() >= 1, detail);
        pages.find(".panel copy-button button").click();
        browser.waitUntil(
                "it is copied",
                _ -> pages.find(".panel copy-button button").getText().equals("Copied"));
        pages.closeDocument();
        assertEquals(
                "meilisearch_list_indexes",
                browser.driver().switchTo().activeElement().getText());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void filtersAreInTheAddressAndOrderIsByTime() {
        call(red, "list_libraries", "filter-one", "filter-two", "list_libraries");
        openSignedIn(OPERATOR, "");
        browser.waitUntil("calls are there", _ -> tools().size() >= 4);
        fill("#live-tool", "FILTER");
        shows("filter-two", "filter-one");
        assertTrue(
                browser.driver().getCurrentUrl().endsWith("live?tool=FILTER"),
                browser.driver().getCurrentUrl());
        choose("#live-outcome", "ok");
        browser.waitUntil("nothing is", _ -> pages.text().contains("No such calls"));
        choose("#live-outcome", "failed");
        shows("filter-two", "filter-one");
        choose("#live-team", "red");
        fill("#live-slower", "100000");
        browser.waitUntil("none is so slow", _ -> pages.text().contains("No such calls"));
        String shared = browser.driver().getCurrentUrl();
        assertTrue(shared.endsWith("live?team=red&tool=FILTER&outcome=failed&slower=100000"), shared);
        browser.open(URI.create(shared.replace("slower=100000", "slower=0.000001&order=slowest")));
        live();
        browser.waitUntil("both", _ -> tools().size() == 2);
        assertEquals("failed", pages.find("#live-outcome").getAttribute("value"));
        assertEquals("FILTER", pages.find("#live-tool").getAttribute("value"));
        assertEquals("slowest", pages.find("#live-order").getAttribute("value"));
        fill("#live-tool", "");
        choose("#live-outcome", "");
        browser.waitUntil("all of the team", _ -> tools().size() >= 4);
        @SuppressWarnings("unchecked")
        List<Number> took = (List<Number>) pages.script(
                "return document.querySelector('live-page') && [...document.querySelectorAll('.calls tbody tr')]"
                        + ".map(row => row.querySelector('.amount').textContent)"
                        + ".map(text => parseFloat(text) * (text.endsWith(' s') ? 1000 : 1))");
        for (int row = 1; row < took.size(); row++) {
            assertTrue(took.get(row).doubleValue() <= took.get(row - 1).doubleValue(), took::toString);
        }
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whoPausesSeesTheSameListAndHowManyCame() {
        openSignedIn(OPERATOR, "?tool=pause-");
        call(red, "pause-1");
        shows("pause-1");
        pages.find(".pause").click();
        call(red, "pause-2", "pause-3", "other");
        browser.waitUntil("two came", _ -> pages.find(".meanwhile").getText().equals("2 calls meanwhile"));
        assertEquals(List.of("pause-1"), tools());
        assertEquals("true", pages.find(".pause").getAttribute("aria-pressed"));
        pages.find(".pause").click();
        shows("pause-3", "pause-2", "pause-1");
        assertEquals(List.of(), pages.all(".meanwhile"));
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void aPersonOfATeamSeesItsCallsAndMoreWithMoreRights() throws IOException {
        call(red, "others-before");
        openSignedIn(BLUE, "?tool=others-");
        assertTrue(pages.text().contains("Calls of your team"), pages.text());
        assertEquals(List.of(), pages.all("#live-team"));
        call(red, "others-1");
        call(blue, "others-2");
        shows("others-2");
        pages.script(
                "window.states = []; new MutationObserver(() => window.states.push(document.querySelector('.connection').textContent))"
                        + ".observe(document.querySelector('main'), {subtree: true, characterData: true, childList: true})");
        teams("*", RED.sha256());
        try {
            browser.waitUntil(
                    "the server has ended it",
                    _ -> pages.script("return String(window.states)").toString().contains("reconnecting"));
            live();
            browser.waitUntil("all", _ -> pages.text().contains("Calls of all teams"));
            call(red, "others-3");
            browser.waitUntil("calls of others", _ -> tools().contains("others-3"));
            assertEquals(tools().stream().distinct().toList(), tools(), "each once, also those that were there before");
        } finally {
            teams("read,search", RED.sha256());
        }
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whoseSessionIsOverIsAskedToSignIn() throws IOException {
        openSignedIn(RED, "");
        teams("read,search", ApiKey.generate(new SecureRandom()).sha256());
        try {
            browser.waitUntil("the sign-in", _ -> pages.find("#key").isDisplayed());
            assertTrue(pages.text().contains("Your session is over"), pages.text());
        } finally {
            teams("read,search", RED.sha256());
        }
    }

    @Test
    void manyCallsAtOnceStayAListOf500() {
        openSignedIn(OPERATOR, "");
        manyCalls(1600, "flood-of-calls");
        call(red, "after-the-flood");
        browser.waitUntil("the last one", _ -> newest().equals("after-the-flood"));
        int shown = tools().size();
        assertTrue(shown > 100 && shown <= 500, shown + " rows");
        // A slow machine makes so few calls in a moment that none is too much.
        int missed = pages.all(".missed").stream()
                .mapToInt(told -> Integer.parseInt(told.getText().replace(",", "")))
                .sum();
        assertTrue(missed <= 1601, missed + " were too many");
        open("");
        browser.waitUntil("those that were there before", _ -> tools().size() == 500);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void nothingThatACallerSaysRuns() {
        openSignedIn(
                OPERATOR,
                "?tool=%3Cb%3E&team=%3Cimg%20src%3Dx%20onerror%3D%22window.attacked%3D1%22%3E&outcome=%3Cb%3E");
        assertTrue(pages.text().contains("No such calls"), pages.text());
        open("");
        for (String attack : ConsolePages.ATTACKS) {
            call(red, attack);
            String begin = attack.substring(0, 20);
            browser.waitUntil("the call " + attack, _ -> newest().contains(begin));
            pages.find(".calls .tool button").click();
            browser.waitUntil(
                    "its detail",
                    page -> page.findElement(ConsolePages.PANEL).getText().contains(begin));
            pages.closeDocument();
        }
        pages.assertNothingRan();
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        call(red, "list_libraries", "no-such-tool", "a-tool-with-quite-a-long-name-that-does-not-exist");
        call(blue, "meilisearch_list_indexes");
        openSignedIn(OPERATOR, "");
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("live", () -> {
            open("?tool=tool");
            browser.waitUntil("calls", _ -> !tools().isEmpty());
        });
        states.put("live-nothing", () -> {
            open("?tool=nothing-has-this-name");
            pages.find(".pause").click();
            browser.waitUntil("it is paused", _ -> pages.find(".meanwhile").isDisplayed());
        });
        states.put("live-call", () -> {
            open("?tool=meilisearch_list_indexes");
            browser.waitUntil("calls", _ -> !tools().isEmpty());
            pages.find(".calls .tool button").click();
            browser.waitUntil(
                    "the call", page -> page.findElement(ConsolePages.PANEL).isDisplayed());
        });
        assertEquals(List.of(), pages.findings(states));
        assertFalse(browser.driver().findElements(By.cssSelector(".step-bar")).isEmpty());
    }
}
