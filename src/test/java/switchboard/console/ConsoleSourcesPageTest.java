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
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console's page of sources, as people use it: a real Chromium at a gateway with three backends, one of which is down. */
@Tag("engines")
class ConsoleSourcesPageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey READER = ApiKey.generate(new SecureRandom());
    private static final By PANEL = By.cssSelector("dialog.panel[open]");
    private static final int PAGES = 27;

    private static final List<String> ATTACKS = List.of(
            "<script>window.attacked = 1</script>",
            "<img src=x onerror=\"window.attacked = 1\">",
            "\"><iframe srcdoc=\"<script>parent.attacked = 1</script>\"></iframe>",
            "javascript:window.attacked=1");

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static McpTestClient agent;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.createDirectories(notes.resolve("deep"));
        for (int note = 0; note < 12; note++) {
            Files.writeString(
                    notes.resolve("note" + note + ".md"), "# Note " + note + "\n\nThe bell of pier " + note + ".\n");
        }
        Files.writeString(notes.resolve("deep/anchor.md"), "# Anchor\n\nAn anchor is heavy.\n");
        Files.writeString(notes.resolve("deep/odd.md"), "# " + ATTACKS.get(0) + "\n\n" + ATTACKS.get(1) + "\n");
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["*:*"]
                  reader:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:read,search", "agentroot:read,search", "switchboard:read,search"]
                """.formatted(RED.sha256(), READER.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ['%s']}
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d"}
                """.formatted(notes, Programs.freePort()), folder);
        agent = gateway.modern().with("X-API-Key", RED.text());
        for (int page = 0; page < PAGES; page++) {
            put(
                    "handbook",
                    "page" + page,
                    "Harbour handbook, page " + page,
                    "Lights the lantern on pier " + page + ".");
        }
        for (String attack : ATTACKS) {
            put("odd " + attack, attack, attack, "attackword " + attack);
        }
        addCollection("notes", notes);
        addCollection("fewer", notes);
        browser = Browser.start();
    }

    private static void addCollection(String name, Path notes) {
        ToolResult added =
                agent.call("collection_add", Json.object().put("name", name).put("path", notes.toString()));
        assertFalse(added.isError(), added::toString);
    }

    private static void put(String library, String source, String title, String text) {
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
        return gateway.app().consoleUrl().orElseThrow().resolve("sources" + query);
    }

    private static URI source(String name) {
        return page("?s=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
    }

    private static WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    private static WebElement button(String text) {
        return browser.driver().findElement(By.xpath("//button[normalize-space()='" + text + "']"));
    }

    private static List<WebElement> all(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    private static String text() {
        return find("body").getText();
    }

    private static void openSignedIn(ApiKey key, URI url) {
        browser.open(url);
        browser.waitUntil("the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
        find("#key").sendKeys(key.text(), Keys.ENTER);
        browser.waitUntil("the page", page -> page.findElement(By.cssSelector("main.sources"))
                .isDisplayed());
        open(url);
    }

    private static void open(URI url) {
        browser.open(url);
        quiet();
    }

    /** Nothing is under way, and the backends' health is there. */
    private static void quiet() {
        browser.waitUntil("the page", page -> page.findElement(By.cssSelector("main.sources h1"))
                .isDisplayed());
        browser.waitUntil(
                "nothing is under way", page -> all("progress, .loading").isEmpty());
        browser.waitUntil("the health", page -> !all(".sources .chip").isEmpty());
    }

    private static void says(String what, String words) {
        browser.waitUntil(what, page -> text().contains(words));
    }

    @Test
    void aPersonSeesBackendsWithTheirStateAndSources() {
        openSignedIn(RED, page(""));
        browser.waitUntil("the one that is down", page -> find("[aria-labelledby=backend-shop] .chip.error")
                .getText()
                .equals("down"));
        assertEquals("up", find("[aria-labelledby=backend-vectordb] .chip").getText());
        String shop = find("[aria-labelledby=backend-shop]").getText();
        assertTrue(shop.contains("shop can’t be listed:") || shop.contains("can’t be reached"), shop);
        assertTrue(find("[aria-labelledby=backend-vectordb]").getText().contains("handbook\n"), text());
        assertTrue(text().contains("27 documents"), text());
        browser.waitUntil("the numbers of two polls", page -> !find("[aria-labelledby=backend-vectordb] .figures")
                .getText()
                .contains("…"));
        assertTrue(find("[aria-labelledby=backend-vectordb] .sparkline")
                .getAttribute("aria-label")
                .contains("latency"));
        String search = browser.driver()
                .findElement(By.xpath("//li[.//a[.='handbook']]/a"))
                .getAttribute("href");
        assertTrue(search.endsWith("search?s=vectordb%3Ahandbook"), search);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void theAddressKeepsTheSourceThePageAndTheDocument() {
        openSignedIn(RED, page(""));
        browser.driver().findElement(By.linkText("handbook")).click();
        quiet();
        says("the first page", "1 to 25 of 27");
        browser.driver().findElement(By.linkText("Older")).click();
        says("the second page", "26 to 27 of 27");
        find(".document-row .source-link").click();
        browser.waitUntil(
                "the document", page -> page.findElement(PANEL).getText().contains("Lights the lantern"));
        String shared = browser.driver().getCurrentUrl();
        assertTrue(shared.contains("page=2") && shared.contains("open="), shared);
        open(URI.create(shared));
        browser.waitUntil(
                "it is open again", page -> page.findElement(PANEL).getText().contains("Lights the lantern"));
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("it is closed", page -> page.findElements(PANEL).isEmpty());
        assertTrue(browser.driver().getCurrentUrl().contains("page=2"));
        open(page("?s=vectordb%3Ahandbook&page=39961"));
        says("the last page", "26 to 27 of 27");
    }

    @Test
    void aPersonAddsFilesFindsThemAndDeletesOne() throws IOException {
        Path first = Files.writeString(folder.resolve("gull.md"), "# Gull and ferry\n\nThe seagullword cries.\n");
        Path second = Files.writeString(folder.resolve("größe.txt"), "The second seagullword sleeps. 灯台\n");
        Path binary = Files.write(folder.resolve("scan.pdf"), new byte[] {1, 2, 3});
        Path latin = Files.write(folder.resolve("latin.txt"), "Größe".getBytes(StandardCharsets.ISO_8859_1));
        Path large = Files.writeString(folder.resolve("large.csv"), "x".repeat(3 * 1024 * 1024 + 1));
        openSignedIn(RED, page(""));
        browser.waitUntil("the form", page -> !all("#new-library-vectordb").isEmpty());
        find("#new-library-vectordb").sendKeys("birds", Keys.ENTER);
        quiet();
        says("there is nothing yet", "No documents");
        find("#files")
                .sendKeys(String.join(
                        "\n",
                        first.toString(),
                        second.toString(),
                        binary.toString(),
                        latin.toString(),
                        large.toString()));
        says("two were added", "2 of 5 files added · 3 failed");
        assertEquals(2, all(".file-line.done").size(), text());
        assertTrue(text().contains("Not a text file. The command switchboard ingest takes it."), text());
        assertTrue(text().contains("Its text is not UTF-8."), text());
        assertTrue(text().contains("Larger than 3 MiB."), text());
        says("they are listed", "1 to 2 of 2");

        browser.open(gateway.app().consoleUrl().orElseThrow().resolve("search?q=seagullword&s=vectordb%3Abirds"));
        browser.waitUntil("both are found", page -> all("hit-card").size() == 2);

        open(source("vectordb:birds"));
        find("button[aria-label='Delete größe.txt']").click();
        browser.waitUntil("the dialog", page -> find("#confirm-name").isDisplayed());
        find("#confirm-name").sendKeys("gull.md", Keys.ENTER);
        assertFalse(button("Delete").isEnabled(), "another name doesn't do");
        find("#confirm-name").clear();
        find("#confirm-name").sendKeys("größe.txt", Keys.ENTER);
        says("it is gone", "Deleted: größe.txt");
        browser.waitUntil("one is left", page -> all(".document-row").size() == 1);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whatFailsIsSaidWhereItWasDoneAndNothingIsLost() {
        put("gone", "soon", "Soon gone", "It will be deleted by somebody else.");
        openSignedIn(RED, source("vectordb:gone"));
        find("button[aria-label='Delete Soon gone']").click();
        browser.waitUntil("the dialog", page -> find("#confirm-name").isDisplayed());
        String broken =
                "const real = window.fetch; window.fetch = (url, options) => options?.headers?.['Mcp-Name'] === 'delete_document'"
                        + " ? Promise.reject(new TypeError('no')) : real(url, options); window.mend = () => (window.fetch = real)";
        script(broken);
        find("#confirm-name").sendKeys("Soon gone", Keys.ENTER);
        browser.waitUntil(
                "why not", page -> find("dialog[open] [role=alert]").getText().contains("doesn’t answer"));
        assertEquals("Soon gone", find("#confirm-name").getAttribute("value"));
        script("window.mend()");
        button("Delete").click();
        says("it is gone", "Deleted: Soon gone");
        says("the library is empty", "No documents");
    }

    private static Object script(String code) {
        return ((JavascriptExecutor) browser.driver()).executeScript(code);
    }

    @Test
    void aPersonUpdatesACollectionBrowsesItAndRemovesAnother() {
        openSignedIn(RED, page(""));
        says("a collection that was not read", "not read yet");
        open(source("agentroot:notes"));
        says("nothing is read", "No files");
        button("Update").click();
        says("the update has ended", "Updated: 14 added");
        browser.waitUntil("its files", page -> all(".document-row").size() == 13);
        browser.driver().findElement(By.linkText("deep")).click();
        browser.waitUntil("the folder", page -> all(".document-row").size() == 2);
        browser.driver().findElement(By.linkText("anchor.md")).click();
        browser.waitUntil("the file", page -> page.findElement(PANEL).getText().contains("An anchor is heavy."));
        browser.driver().navigate().refresh();
        browser.waitUntil(
                "it is open again", page -> page.findElement(PANEL).getText().contains("An anchor is heavy."));
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("it is closed", page -> page.findElements(PANEL).isEmpty());
        button("Update").click();
        says("nothing to do", "Updated: 14 unchanged");

        open(source("agentroot:fewer"));
        button("Remove").click();
        browser.waitUntil("the dialog", page -> find("#confirm-name").isDisplayed());
        find("#confirm-name").sendKeys("fewer", Keys.ENTER);
        browser.waitUntil("the overview", page -> find("h1").getText().equals("Sources"));
        quiet();
        browser.waitUntil(
                "it is gone", page -> page.findElements(By.linkText("fewer")).isEmpty());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void anUpdateCanBeCancelled() {
        addCollection("stopped", folder.resolve("notes"));
        openSignedIn(RED, source("agentroot:stopped"));
        script(
                "const real = window.fetch; window.fetch = (url, options) => options?.headers?.['Mcp-Name'] === 'collection_update'"
                        + " ? new Promise((_, fail) => options.signal.addEventListener('abort', () => fail(options.signal.reason)))"
                        + " : real(url, options)");
        button("Update").click();
        browser.waitUntil("it runs", page -> !all("progress").isEmpty());
        button("Cancel").click();
        says("it is cancelled", "Cancelled.");
        assertTrue(button("Update").isEnabled());
    }

    @Test
    void whoMayOnlyReadIsOfferedReadingOnly() {
        openSignedIn(READER, page(""));
        says("the sources", "handbook");
        assertTrue(all(".figures").stream().noneMatch(one -> one.getText().contains("Latency")), text());
        assertEquals(List.of(), all(".inline-form"));
        assertFalse(text().contains("shop"), text());
        open(source("vectordb:handbook"));
        says("the documents", "1 to 25 of 27");
        assertEquals(List.of(), all("#files, .document-row button"));
        open(source("agentroot:notes"));
        assertEquals(List.of(), all(".upkeep"));
        open(source("vectordb:not there"));
        says("nothing", "No documents");
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void nothingThatASourceSaysRuns() {
        openSignedIn(RED, page(""));
        ATTACKS.forEach(attack -> assertTrue(text().contains("odd " + attack), text()));
        for (String attack : ATTACKS) {
            open(source("vectordb:odd " + attack));
            find(".document-row .source-link").click();
            browser.waitUntil(
                    "the document", page -> page.findElement(PANEL).getText().contains("attackword"));
            browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
            browser.waitUntil("it is closed", page -> page.findElements(PANEL).isEmpty());
            find(".document-row button").click();
            browser.waitUntil("the dialog", page -> find("#confirm-name").isDisplayed());
            assertTrue(find("dialog[open]").getText().contains(attack), text());
        }
        open(page("?s=" + URLEncoder.encode("vectordb:" + ATTACKS.get(1), StandardCharsets.UTF_8)
                + "&page=-1&open=%3Cb%3E"));
        browser.waitUntil("there is no such document", page -> !all("dialog.panel [role=alert]")
                .isEmpty());
        assertEquals(List.of(), browser.errors());
        assertEquals(Boolean.TRUE, script("return window.attacked === undefined"));
        assertOnlyTheConsoleWasAsked();
    }

    private static void assertOnlyTheConsoleWasAsked() {
        String console = page("").resolve("/").toString();
        for (String url : browser.requests()) {
            assertTrue(url.startsWith(console) || url.startsWith("data:"), url);
        }
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openSignedIn(RED, page(""));
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("sources", () -> open(page("")));
        states.put("sources-fields", () -> {
            open(page(""));
            script("document.querySelectorAll('details').forEach(one => (one.open = true))");
        });
        states.put("sources-library", () -> open(source("vectordb:handbook")));
        states.put("sources-collection", () -> open(source("agentroot:notes")));
        states.put("sources-nothing", () -> open(source("agentroot:not there")));
        states.put("sources-document", () -> {
            open(source("vectordb:handbook"));
            find(".document-row .source-link").click();
            browser.waitUntil(
                    "the document", page -> page.findElement(PANEL).getText().contains("lantern"));
        });
        states.put("sources-delete", () -> {
            open(source("vectordb:handbook"));
            find(".document-row button").click();
            browser.waitUntil("the dialog", page -> find("#confirm-name").isDisplayed());
        });
        List<String> findings = new ArrayList<>();
        for (boolean phone : List.of(false, true)) {
            if (phone) {
                browser.phone();
            } else {
                browser.size(1440, 900);
            }
            for (boolean dark : List.of(false, true)) {
                browser.darkMode(dark);
                states.forEach((name, show) -> {
                    show.run();
                    findings.addAll(findings("console-" + name + (phone ? "-phone" : "") + (dark ? "-dark" : "")));
                });
            }
        }
        assertEquals(List.of(), findings);
    }

    private static List<String> findings(String name) {
        browser.screenshot(name);
        List<String> findings = new ArrayList<>();
        browser.accessibilityFindings().forEach(finding -> findings.add(name + ": " + finding));
        browser.errors().forEach(error -> findings.add(name + ": " + error));
        if (browser.scrollsSideways()) {
            findings.add(name + " is wider than its window");
        }
        assertOnlyTheConsoleWasAsked();
        return findings;
    }
}
