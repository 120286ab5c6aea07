package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
import switchboard.auth.ApiKey;
import switchboard.testing.Browser;
import switchboard.testing.HandClock;
import switchboard.testing.TestGateway;

/** The console's page of usage, as people read it: a real Chromium at a gateway that knows three days of calls. */
@Tag("engines")
class ConsoleUsagePageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey IDLE = ApiKey.generate(new SecureRandom());
    private static final ApiKey OPERATOR = ApiKey.generate(new SecureRandom());
    private static final int HOURS = 72;

    @TempDir
    static Path folder;

    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search"]}
                  idle: {keys: [{id: idle1, sha256: %s}], grants: ["vectordb:read,search"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(RED.sha256(), IDLE.sha256(), OPERATOR.sha256()));
        Files.createDirectories(folder.resolve("usage"));
        Files.write(folder.resolve("usage/usage.jsonl"), threeDays());
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    /** Calls of two teams, more by day than by night, and of tools whose names are attacks. */
    private static byte[] threeDays() {
        HandClock clock = new HandClock(Clock.systemUTC().instant().minus(Duration.ofHours(HOURS)));
        UsageStore store = new UsageStore(clock);
        for (int hour = 0; hour <= HOURS; hour++) {
            int calls = 20 + (int) (15 * Math.sin(hour / 24.0 * 2 * Math.PI));
            Duration took = Duration.ofMillis(calls * 2L);
            UsageKey search = new UsageKey("red", "vectordb", "search_documents");
            store.count(search, UsageOutcome.OK, calls, calls * 900L, took);
            store.count(search, UsageOutcome.FAILED, calls / 8, 100, Duration.ofSeconds(2));
            store.count(new UsageKey("blue", "vectordb", "list_libraries"), UsageOutcome.OK, 3, 600, took);
            store.count(new UsageKey("blue", "", ""), UsageOutcome.REFUSED, 1, 0, Duration.ZERO);
            clock.forward(Duration.ofHours(1));
        }
        clock.set(Duration.ofHours(-1));
        for (String attack : ConsolePages.ATTACKS) {
            store.count(new UsageKey(attack, attack, attack), UsageOutcome.OK, 1, 4, Duration.ofMillis(5));
        }
        return store.save();
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
        return pages.page("usage" + query);
    }

    private static void openSignedIn(ApiKey key, String query) {
        pages.openSignedIn(key, page(query));
        loaded();
    }

    private static void open(String query) {
        browser.open(page(query));
        loaded();
    }

    private static void loaded() {
        browser.waitUntil("usage is there", page -> page.findElement(By.cssSelector("main.usage"))
                .getAttribute("aria-busy")
                .equals("false"));
    }

    private static void drawn() {
        browser.waitUntil(
                "the plots are drawn", _ -> pages.all(".plot-canvas canvas").size() == 3);
    }

    /** The tools of the rows, the first one first. */
    private static List<String> tools() {
        @SuppressWarnings("unchecked")
        List<String> tools = (List<String>)
                pages.script(
                        "return [...document.querySelectorAll('.usage-table tbody tr')].map(row => row.cells[1].textContent.trim())");
        return tools;
    }

    private static String figure(String name) {
        return pages.find(".usage-figures")
                .getText()
                .lines()
                .dropWhile(line -> !line.equals(name))
                .skip(1)
                .findFirst()
                .orElse("");
    }

    private static void choose(String field, String value) {
        pages.find(field + " option[value='" + value + "']").click();
        loaded();
    }

    private static String query() {
        return URI.create(browser.driver().getCurrentUrl()).getRawQuery();
    }

    @Test
    void oneSeesWhatWasCalledAndCanLookCloser() {
        openSignedIn(OPERATOR, "?team=red");
        drawn();
        assertEquals(List.of("search_documents"), tools());
        String day = figure("Calls");
        assertNotEquals("0", day);
        assertEquals(
                "Calls by hour",
                pages.find(".plot-canvas").getAttribute("aria-label").substring(0, 13));
        choose("#usage-last", "72");
        browser.waitUntil("more calls", _ -> !figure("Calls").equals(day));
        assertEquals("last=72&team=red", query());
        pages.all(".units button").get(1).click();
        browser.waitUntil(
                "days",
                _ -> pages.find(".plot-canvas").getAttribute("aria-label").startsWith("Calls by day"));
        assertEquals("by=day&team=red", query());
        choose("#usage-team", "");
        browser.waitUntil("all teams", _ -> tools().size() == 3 + ConsolePages.ATTACKS.size());
        assertEquals(List.of("search_documents", "list_libraries", "no tool"), tools().subList(0, 3));
        pages.find(".usage-table td .link").click();
        browser.waitUntil("one tool", _ -> tools().equals(List.of("search_documents")));
        assertEquals("by=day&tool=search_documents", query());
        browser.driver().navigate().back();
        browser.waitUntil("all tools", _ -> tools().size() == 3 + ConsolePages.ATTACKS.size());
        assertEquals("", pages.find("#usage-tool").getDomProperty("value"));
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void rowsHaveAnOrderThatOneChooses() {
        openSignedIn(OPERATOR, "?sort=tool");
        drawn();
        assertTrue(tools().indexOf("list_libraries") < tools().indexOf("search_documents"), tools()::toString);
        assertEquals("ascending", pages.find("th[aria-sort]").getAttribute("aria-sort"));
        pages.find("th[aria-sort] button").click();
        browser.waitUntil(
                "the other way round", _ -> tools().indexOf("list_libraries") > tools().indexOf("search_documents"));
        assertEquals("sort=-tool", query());
        pages.all(".usage-table th button").stream()
                .filter(button -> button.getText().equals("Refused"))
                .findFirst()
                .orElseThrow()
                .click();
        browser.waitUntil("the most refused one", _ -> tools().getFirst().equals("no tool"));
        assertEquals("descending", pages.find("th[aria-sort]").getAttribute("aria-sort"));
        assertEquals("sort=refused", query());
    }

    @Test
    void plotsSayTheSameAsTheirTablesAndFollowTheColours() {
        openSignedIn(RED, "?last=72");
        drawn();
        pages.find(".plot-data summary").click();
        browser.waitUntil("the table", _ -> pages.all(".plot-table tbody tr").size() == HOURS);
        long sum = pages.all(".plot-table tbody tr td:nth-of-type(1)").stream()
                .mapToLong(cell -> Long.parseLong(cell.getText()))
                .sum();
        assertEquals(figure("Calls").replace(",", ""), String.valueOf(sum));
        assertTrue(pages.all("#usage-team").isEmpty(), "one team has nothing to choose");
        String colours = "const canvas = document.querySelector('.plot-canvas canvas');"
                + "return canvas.toDataURL().length > 2000 ? canvas.toDataURL() : ''";
        Object light = pages.script(colours);
        assertNotEquals("", light, "something is drawn");
        browser.darkMode(true);
        browser.waitUntil(
                "other colours",
                _ -> !pages.script(colours).equals(light)
                        && !pages.script(colours).equals(""));
        browser.phone();
        browser.waitUntil("it has room", _ -> !browser.scrollsSideways());
        drawn();
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void onlyThePageWithPlotsLoadsTheLibrary() {
        openSignedIn(RED, "");
        drawn();
        assertTrue(browser.requests().stream().anyMatch(url -> url.contains("/uplot/")), "or this test sees nothing");
        browser.open(pages.page("live"));
        browser.waitUntil("the page", _ -> pages.find("#main").isDisplayed());
        assertEquals(
                0L,
                pages.script(
                        "return performance.getEntriesByType('resource').filter(one => /uplot|plot\\.js/.test(one.name)).length"));
    }

    @Test
    void whoHasNoCallsIsToldWhatToDo() {
        openSignedIn(IDLE, "");
        assertTrue(pages.text().contains("No calls in this time"), pages.text());
        assertTrue(pages.find(".nothing a").getAttribute("href").endsWith("/tools"));
        String csv = pages.find(".csv").getAttribute("href");
        assertTrue(
                csv.contains("api/v1/usage.csv?by=hour&from="
                        + Instant.now().toString().substring(0, 3)),
                csv);
        open("?tool=nothing&by=week&last=5&sort=nothing");
        assertTrue(pages.text().contains("No such calls"), pages.text());
        pages.find(".nothing .link").click();
        browser.waitUntil("all", _ -> pages.text().contains("No calls in this time"));
        assertEquals("by=week", query());
    }

    @Test
    void nothingThatANameSaysRuns() {
        openSignedIn(OPERATOR, "?team=%3Cimg%20src%3Dx%20onerror%3D%22window.attacked%3D1%22%3E&tool=%3Cb%3E");
        assertTrue(pages.text().contains("No such calls"), pages.text());
        open("?sort=-calls");
        drawn();
        assertTrue(tools().containsAll(ConsolePages.ATTACKS), tools()::toString);
        pages.assertNothingRan();
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openSignedIn(OPERATOR, "");
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("usage", () -> {
            open("?last=72&team=red");
            drawn();
        });
        states.put("usage-table", () -> {
            open("?by=day");
            drawn();
            pages.find(".plot-data summary").click();
            browser.waitUntil("the table", _ -> !pages.all(".plot-table td").isEmpty());
        });
        states.put("usage-nothing", () -> open("?tool=nothing"));
        assertEquals(List.of(), pages.findings(states));
        assertFalse(pages.all(".nothing").isEmpty());
    }
}
