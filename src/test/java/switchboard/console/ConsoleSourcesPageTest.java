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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console's page of sources, in a real Chromium at a gateway of which one backend is down. */
@Tag("engines")
class ConsoleSourcesPageTest {
    private static final ApiKey OPERATOR = ApiKey.generate(new SecureRandom());
    private static final ApiKey READER = ApiKey.generate(new SecureRandom());
    private static final String ATTACK = "<img src=x onerror=\"window.attacked = 1\">";

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                  readers:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search", "switchboard:read,search"]
                    views: [reading]
                """.formatted(OPERATOR.sha256(), READER.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d"}
                views: {reading: {backends: [vectordb, switchboard]}}
                """.formatted(Programs.freePort()), folder);
        McpTestClient agent = gateway.modern().with("X-API-Key", OPERATOR.text());
        for (String library : List.of("handbook", ATTACK)) {
            ToolResult stored = agent.call(
                    "ingest_text",
                    Json.object().put("library", library).put("source", "s").put("content", "The lantern."));
            assertFalse(stored.isError(), stored::toString);
        }
        browser = Browser.start();
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

    private static void openAs(ApiKey key) {
        URI page = gateway.app().consoleUrl().orElseThrow().resolve("sources");
        browser.open(page);
        browser.waitUntil(
                "the sign-in", driver -> driver.findElement(By.id("key")).isDisplayed());
        browser.driver().findElement(By.id("key")).sendKeys(key.text(), Keys.ENTER);
        browser.waitUntil("sources", driver -> driver.findElement(By.cssSelector(".source-list"))
                .isDisplayed());
        browser.open(page);
        browser.waitUntil("sources", driver -> driver.findElement(By.cssSelector(".source-list"))
                .isDisplayed());
        browser.waitUntil("backends", driver -> !driver.findElements(By.cssSelector(".health"))
                .isEmpty());
    }

    private static String text() {
        return browser.driver().findElement(By.id("main")).getText();
    }

    @Test
    void anOperatorSeesWhatWorksAndItsNumbersAndSearchesInOneSource() {
        openAs(OPERATOR);
        browser.waitUntil("what is down", driver -> driver.findElement(By.cssSelector(".health.down"))
                .isDisplayed());
        assertTrue(text().contains("shop has a problem"), ConsoleSourcesPageTest::text);
        assertTrue(text().contains("under way"), ConsoleSourcesPageTest::text);
        assertTrue(text().contains(ATTACK), "as text: " + text());
        assertEquals(
                Boolean.TRUE,
                ((JavascriptExecutor) browser.driver()).executeScript("return window.attacked === undefined"));
        browser.driver()
                .findElements(By.cssSelector(".source-list .button"))
                .getLast()
                .click();
        browser.waitUntil(
                "the search", driver -> driver.findElement(By.id("query")).isDisplayed());
        String address = String.valueOf(browser.driver().getCurrentUrl());
        assertTrue(address.contains("/search?s=vectordb%3A"), address);
        browser.driver().findElement(By.id("query")).sendKeys("lantern", Keys.ENTER);
        browser.waitUntil(
                "one hit",
                driver -> driver.findElements(By.cssSelector("hit-card")).size() == 1);
    }

    @Test
    void aReaderSeesItsOwnBackendsWithoutNumbersInTheViewThatItMayUse() {
        openAs(READER);
        assertFalse(text().contains("shop") || text().contains("under way"), ConsoleSourcesPageTest::text);
        assertTrue(text().contains("handbook"), ConsoleSourcesPageTest::text);
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openAs(OPERATOR);
        List<String> findings = new ArrayList<>();
        for (boolean phone : List.of(false, true)) {
            if (phone) {
                browser.phone();
            }
            for (boolean dark : List.of(false, true)) {
                browser.darkMode(dark);
                String name = "console-sources" + (phone ? "-phone" : "") + (dark ? "-dark" : "");
                browser.screenshot(name);
                browser.accessibilityFindings().forEach(finding -> findings.add(name + ": " + finding));
                int top = browser.driver()
                        .findElement(By.cssSelector(".top"))
                        .getSize()
                        .getHeight();
                if (top > 72) {
                    findings.add(name + ": the top has several lines, " + top + " pixels");
                }
                if (browser.scrollsSideways()) {
                    findings.add(name + " is wider than its window");
                }
            }
        }
        findings.addAll(browser.errors());
        assertEquals(List.of(), findings);
    }
}
