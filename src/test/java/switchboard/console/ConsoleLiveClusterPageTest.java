package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import switchboard.testing.Browser;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;

/** The page of calls of two gateways that share a database, in a real Chromium at one of them. */
@Tag("engines")
class ConsoleLiveClusterPageTest {
    private static final By MISSING = By.cssSelector(".gateways-missing");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static WatchedGateways gateways;
    private static TestGateway north;
    private static TestGateway south;
    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        gateways = new WatchedGateways(postgres, folder);
        north = gateways.start("north");
        south = gateways.start("south");
        WatchedGateways.meet(2, north, south);
        pages = new ConsolePages(north, Browser.start());
        browser = pages.browser();
        pages.asAtAFirstVisit();
    }

    @AfterAll
    static void stop() throws IOException {
        pages.close();
        gateways.close();
    }

    private static void open(String query) {
        browser.open(pages.page("live" + query));
        browser.waitUntil(
                "the connection", _ -> pages.find(".connection").getText().equals("live"));
    }

    /** The rows as tool and gateway, the first one first. */
    private static List<String> rows() {
        @SuppressWarnings("unchecked")
        List<String> rows = (List<String>)
                pages.script(
                        "return [...document.querySelectorAll('.calls tbody tr')].map(row => `${row.querySelector('.tool button').textContent.trim()} ${row.querySelector('.gateway').textContent.trim()}`)");
        return rows;
    }

    private static void shows(String... rows) {
        browser.waitUntil(List.of(rows) + " are shown", _ -> rows().equals(List.of(rows)));
    }

    @Test
    void itShowsTheCallsOfAllGatewaysInTheirOrder() {
        gateways.call(south, "red", "first");
        gateways.call(north, "red", "second");
        gateways.call(south, "red", "third");
        pages.openSignedIn(gateways.key("operators"), pages.page("live"));
        shows("third south", "second north", "first south");
        assertTrue(pages.text().contains("Calls of all teams, at all gateways"), pages.text());
        assertEquals(List.of(), browser.driver().findElements(MISSING));

        pages.find("#live-gateway option[value='south']").click();
        shows("third south", "first south");
        gateways.call(north, "red", "fourth");
        gateways.call(south, "red", "fifth");
        shows("fifth south", "third south", "first south");
        assertTrue(browser.driver().getCurrentUrl().endsWith("/live?gateway=south"));
        open("?gateway=south&tool=fi");
        shows("fifth south", "first south");
        pages.find(".calls .tool button").click();
        browser.waitUntil(
                "its gateway",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("south"));
        pages.closeDocument();

        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("live-gateways", () -> {
            open("");
            browser.waitUntil("calls of both", _ -> rows().size() == 5);
        });
        assertEquals(List.of(), pages.findings(states));
        browser.size(1440, 900);
        postgres.kill();
        try {
            browser.waitUntil(
                    "others are missing", page -> !page.findElements(MISSING).isEmpty());
            assertFalse(pages.find(".gateways-missing").getText().isEmpty());
            gateways.call(north, "red", "alone");
            browser.waitUntil("the own call", _ -> rows().contains("alone north"));
        } finally {
            postgres.restart();
        }
        browser.waitUntil("they are back", page -> page.findElements(MISSING).isEmpty());
        gateways.call(south, "red", "back");
        browser.waitUntil("a call of the other", _ -> rows().contains("back south"));
        assertEquals(List.of(), browser.errors());
    }
}
