package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
import switchboard.convert.MadeFiles;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;

/** The console's page of sources, as people use it: a real Chromium at a gateway with three backends, one of which is down. */
@Tag("engines")
class ConsoleSourcesPageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey WRITER = ApiKey.generate(new SecureRandom());
    private static final ApiKey READER = ApiKey.generate(new SecureRandom());
    private static final int PAGES = 27;

    private static final List<String> ATTACKS = ConsolePages.ATTACKS.subList(0, 4);

    @TempDir
    static Path folder;

    private static FixtureServer tickets;
    private static ConsolePages pages;
    private static McpTestClient agent;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        tickets = new FixtureServer(FixtureServer.Era.BOTH);
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
                  writer:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed", "switchboard:read,search"]
                """.formatted(RED.sha256(), READER.sha256(), WRITER.sha256()));
        TestGateway gateway = TestGateway.start(
                """
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ['%s', '%s']}
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d"}
                  tickets: {type: mcp, url: "%s"}
                """.formatted(notes, folder.resolve("harbour"), Programs.freePort(), tickets.url()),
                folder,
                TestGateway.OFTEN);
        agent = gateway.modern().with("X-API-Key", RED.text());
        for (int page = 0; page < PAGES; page++) {
            ConsolePages.put(
                    agent,
                    "handbook",
                    "page" + page,
                    "Harbour handbook, page " + page,
                    "Lights the lantern on pier " + page + ".");
        }
        for (String attack : ATTACKS) {
            ConsolePages.put(agent, "odd " + attack, attack, attack, "attackword " + attack);
        }
        addCollection("notes", notes);
        addCollection("fewer", notes);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    private static void addCollection(String name, Path notes) {
        ToolResult added =
                agent.call("collection_add", Json.object().put("name", name).put("path", notes.toString()));
        assertFalse(added.isError(), added::toString);
    }

    @AfterAll
    static void stop() {
        pages.close();
        tickets.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static URI page(String query) {
        return pages.page("sources" + query);
    }

    private static URI source(String name) {
        return page("?s=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
    }

    private static WebElement button(String text) {
        return browser.driver().findElement(By.xpath("//button[normalize-space()='" + text + "']"));
    }

    private static void openSignedIn(ApiKey key, URI url) {
        pages.openSignedIn(key, url);
        quiet();
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
                "nothing is under way", page -> pages.all("progress, .loading").isEmpty());
        browser.waitUntil("the health", page -> !pages.all(".sources .chip").isEmpty());
    }

    private static void says(String what, String words) {
        browser.waitUntil(what, page -> pages.text().contains(words));
    }

    @Test
    void aPersonSeesBackendsWithTheirStateAndSources() {
        openSignedIn(RED, page(""));
        browser.waitUntil("the one that is down", page -> pages.find("[aria-labelledby=backend-shop] .chip.error")
                .getText()
                .equals("down"));
        assertEquals(
                "up", pages.find("[aria-labelledby=backend-vectordb] .chip").getText());
        String shop = pages.find("[aria-labelledby=backend-shop]").getText();
        assertTrue(shop.contains("shop can’t be listed:") || shop.contains("can’t be reached"), shop);
        assertTrue(pages.find("[aria-labelledby=backend-vectordb]").getText().contains("handbook\n"), pages.text());
        assertTrue(pages.text().contains("27 documents"), pages.text());
        browser.waitUntil("the numbers of two polls", page -> !pages.find("[aria-labelledby=backend-vectordb] .figures")
                .getText()
                .contains("…"));
        assertTrue(pages.find("[aria-labelledby=backend-vectordb] .sparkline")
                .getAttribute("aria-label")
                .contains("latency"));
        browser.waitUntil("the size of its files", _ -> pages.find("[aria-labelledby=backend-vectordb] .figures")
                .getText()
                .matches("(?s).*Chunks\\n\\d+\\nOn disk\\n[\\d.]+ [KM]iB.*"));
        assertFalse(pages.text().contains("Circuit breaker"), pages.text());
        String search = browser.driver()
                .findElement(By.xpath("//li[.//a[.='handbook']]/a"))
                .getAttribute("href");
        assertTrue(search.endsWith("search?s=vectordb%3Ahandbook"), search);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void aPersonSeesABackendFailAndComeBack() {
        openSignedIn(RED, page(""));
        tickets("up");
        int port = tickets.url().getPort();
        tickets.close();
        tickets("down");
        assertEquals(
                "tickets is down now", pages.find("main > .unseen[role=status]").getDomProperty("textContent"));
        assertEquals(
                "up", pages.find("[aria-labelledby=backend-vectordb] .chip").getText());
        tickets = new FixtureServer(FixtureServer.Era.BOTH, port);
        tickets("up");
        assertEquals(
                "tickets is up now", pages.find("main > .unseen[role=status]").getDomProperty("textContent"));
        assertEquals(List.of(), browser.errors());
    }

    private static void tickets(String status) {
        browser.waitLongUntil("tickets is " + status, _ -> pages.find("[aria-labelledby=backend-tickets] .chip")
                .getText()
                .equals(status));
    }

    @Test
    void theAddressKeepsTheSourceThePageAndTheDocument() {
        openSignedIn(RED, page(""));
        browser.driver().findElement(By.linkText("handbook")).click();
        quiet();
        says("the first page", "1 to 25 of 27");
        browser.driver().findElement(By.linkText("Older")).click();
        says("the second page", "26 to 27 of 27");
        pages.find(".document-row .source-link").click();
        browser.waitUntil(
                "the document",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("Lights the lantern"));
        String shared = browser.driver().getCurrentUrl();
        assertTrue(shared.contains("page=2") && shared.contains("open="), shared);
        open(URI.create(shared));
        browser.waitUntil(
                "it is open again",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("Lights the lantern"));
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "it is closed", page -> page.findElements(ConsolePages.PANEL).isEmpty());
        assertTrue(browser.driver().getCurrentUrl().contains("page=2"));
        open(page("?s=vectordb%3Ahandbook&page=39961"));
        says("the last page", "26 to 27 of 27");
    }

    @Test
    void aPersonAddsFilesFindsThemAndDeletesOne() throws IOException {
        Path first = Files.writeString(folder.resolve("gull.md"), "# Gull and ferry\n\nThe seagullword cries.\n");
        Path second = Files.writeString(folder.resolve("größe.txt"), "The second seagullword sleeps. 灯台\n");
        Path paper =
                Files.write(folder.resolve("paper.pdf"), MadeFiles.pdf("On ferries.", "The third seagullword is ill."));
        Path broken = Files.write(folder.resolve("scan.pdf"), new byte[] {1, 2, 3});
        Path large = folder.resolve("large.csv");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(64L * 1024 * 1024 + 1);
        }
        openSignedIn(RED, page(""));
        browser.waitUntil(
                "the form", page -> !pages.all("#new-library-vectordb").isEmpty());
        pages.find("#new-library-vectordb").sendKeys("birds", Keys.ENTER);
        quiet();
        says("there is nothing yet", "No documents");
        pages.find("#files")
                .sendKeys(String.join(
                        "\n",
                        first.toString(),
                        second.toString(),
                        paper.toString(),
                        broken.toString(),
                        large.toString()));
        says("three were added", "3 of 5 files added · 2 failed");
        assertEquals(3, pages.all(".file-line.done").size(), pages.text());
        assertTrue(pages.text().contains("Ingestion failed: scan.pdf"), pages.text());
        assertTrue(pages.text().contains("Larger than 64 MiB."), pages.text());
        says("they are listed", "1 to 3 of 3");

        browser.open(pages.page("search?q=seagullword&s=vectordb%3Abirds"));
        browser.waitUntil("all are found", page -> pages.all("hit-card").size() == 3);

        open(source("vectordb:birds"));
        pages.find("button[aria-label='Delete größe.txt']").click();
        browser.waitUntil("the dialog", page -> pages.find("#confirm-name").isDisplayed());
        pages.find("#confirm-name").sendKeys("gull.md", Keys.ENTER);
        assertFalse(button("Delete").isEnabled(), "another name doesn't do");
        pages.find("#confirm-name").clear();
        pages.find("#confirm-name").sendKeys("größe.txt", Keys.ENTER);
        says("it is gone", "Deleted: größe.txt");
        browser.waitUntil("two are left", page -> pages.all(".document-row").size() == 2);
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whoMayNotReadFilesAddsTexts() throws IOException {
        Path text = Files.writeString(folder.resolve("gull.md"), "# Gull and ferry\n\nThe seagullword cries.\n");
        Path binary = Files.write(folder.resolve("scan.pdf"), new byte[] {1, 2, 3});
        Path latin = Files.write(folder.resolve("latin.txt"), "Größe".getBytes(StandardCharsets.ISO_8859_1));
        Path large = Files.writeString(folder.resolve("large.csv"), "x".repeat(3 * 1024 * 1024 + 1));
        openSignedIn(WRITER, source("vectordb:texts"));
        says("what can be added", "Add text files");
        pages.find("#files")
                .sendKeys(String.join("\n", text.toString(), binary.toString(), latin.toString(), large.toString()));
        says("one was added", "1 of 4 files added · 3 failed");
        assertTrue(pages.text().contains("Not a text file. Adding it takes the tool ingest_file"), pages.text());
        assertTrue(pages.text().contains("Its text is not UTF-8."), pages.text());
        assertTrue(pages.text().contains("Larger than 3 MiB."), pages.text());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whatFailsIsSaidWhereItWasDoneAndNothingIsLost() {
        ConsolePages.put(agent, "gone", "soon", "Soon gone", "It will be deleted by somebody else.");
        openSignedIn(RED, source("vectordb:gone"));
        pages.find("button[aria-label='Delete Soon gone']").click();
        browser.waitUntil("the dialog", page -> pages.find("#confirm-name").isDisplayed());
        String broken =
                "const real = window.fetch; window.fetch = (url, options) => options?.headers?.['Mcp-Name'] === 'delete_document'"
                        + " ? Promise.reject(new TypeError('no')) : real(url, options); window.mend = () => (window.fetch = real)";
        pages.script(broken);
        pages.find("#confirm-name").sendKeys("Soon gone", Keys.ENTER);
        browser.waitUntil(
                "why not",
                page -> pages.find("dialog[open] [role=alert]").getText().contains("doesn’t answer"));
        assertEquals("Soon gone", pages.find("#confirm-name").getAttribute("value"));
        pages.script("window.mend()");
        button("Delete").click();
        says("it is gone", "Deleted: Soon gone");
        says("the library is empty", "No documents");
    }

    @Test
    void aPersonUpdatesACollectionBrowsesItAndRemovesAnother() {
        openSignedIn(RED, page(""));
        says("a collection that was not read", "not read yet");
        open(source("agentroot:notes"));
        says("nothing is read", "No files");
        button("Update").click();
        says("the update has ended", "Updated: 14 added");
        browser.waitUntil("its files", page -> pages.all(".document-row").size() == 13);
        browser.driver().findElement(By.linkText("deep")).click();
        browser.waitUntil("the folder", page -> pages.all(".document-row").size() == 2);
        browser.driver().findElement(By.linkText("anchor.md")).click();
        browser.waitUntil(
                "the file",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("An anchor is heavy."));
        browser.driver().navigate().refresh();
        browser.waitUntil(
                "it is open again",
                page -> page.findElement(ConsolePages.PANEL).getText().contains("An anchor is heavy."));
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "it is closed", page -> page.findElements(ConsolePages.PANEL).isEmpty());
        button("Update").click();
        says("nothing to do", "Updated: 14 unchanged");

        open(source("agentroot:fewer"));
        button("Remove").click();
        browser.waitUntil("the dialog", page -> pages.find("#confirm-name").isDisplayed());
        pages.find("#confirm-name").sendKeys("fewer", Keys.ENTER);
        browser.waitUntil("the overview", page -> pages.find("h1").getText().equals("Sources"));
        quiet();
        browser.waitUntil(
                "it is gone", page -> page.findElements(By.linkText("fewer")).isEmpty());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void aPersonAddsACollectionAndUpdatesIt() throws IOException {
        Path more = Files.createDirectories(folder.resolve("harbour"));
        Files.writeString(more.resolve("buoy.md"), "# Buoy\n\nThe cormorantword sits on it.\n");
        openSignedIn(RED, page(""));
        browser.waitUntil(
                "the form", page -> !pages.all("#new-collection-agentroot-name").isEmpty());
        pages.find("#new-collection-agentroot-name").sendKeys("harbour");
        pages.find("#new-collection-agentroot-path")
                .sendKeys(folder.resolve("secret").toString(), Keys.ENTER);
        says("a folder that is not open", "is not in a folder that is open for collections");
        pages.find("#new-collection-agentroot-path").clear();
        pages.find("#new-collection-agentroot-path").sendKeys(more.toString(), Keys.ENTER);
        browser.waitUntil("its page", page -> pages.find("h1").getText().equals("harbour"));
        quiet();
        button("Update").click();
        says("it was read", "Updated: 1 added");
        assertEquals(List.of(), browser.errors());
        agent.call("collection_remove", Json.object().put("name", "harbour"));
    }

    @Test
    void anUpdateCanBeCancelled() {
        addCollection("stopped", folder.resolve("notes"));
        openSignedIn(RED, source("agentroot:stopped"));
        pages.script(
                "const real = window.fetch; window.fetch = (url, options) => options?.headers?.['Mcp-Name'] === 'collection_update'"
                        + " ? new Promise((_, fail) => options.signal.addEventListener('abort', () => fail(options.signal.reason)))"
                        + " : real(url, options)");
        button("Update").click();
        browser.waitUntil("it runs", page -> !pages.all("progress").isEmpty());
        button("Cancel").click();
        says("it is cancelled", "Cancelled.");
        assertTrue(button("Update").isEnabled());
    }

    @Test
    void whoMayOnlyReadIsOfferedReadingOnly() {
        openSignedIn(READER, page(""));
        says("the sources", "handbook");
        assertTrue(pages.all(".figures").stream().noneMatch(one -> one.getText().contains("Latency")), pages.text());
        assertEquals(List.of(), pages.all(".inline-form"));
        assertFalse(pages.text().contains("shop"), pages.text());
        open(source("vectordb:handbook"));
        says("the documents", "1 to 25 of 27");
        assertEquals(List.of(), pages.all("#files, .document-row button"));
        open(source("agentroot:notes"));
        assertEquals(List.of(), pages.all(".upkeep"));
        open(source("vectordb:not there"));
        says("nothing", "No documents");
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void nothingThatASourceSaysRuns() {
        openSignedIn(RED, page(""));
        ATTACKS.forEach(attack -> assertTrue(pages.text().contains("odd " + attack), pages.text()));
        for (String attack : ATTACKS) {
            open(source("vectordb:odd " + attack));
            pages.find(".document-row .source-link").click();
            browser.waitUntil(
                    "the document",
                    page -> page.findElement(ConsolePages.PANEL).getText().contains("attackword"));
            pages.closeDocument();
            pages.find(".document-row button").click();
            browser.waitUntil("the dialog", page -> pages.find("#confirm-name").isDisplayed());
            assertTrue(pages.find("dialog[open]").getText().contains(attack), pages.text());
        }
        open(page("?s=" + URLEncoder.encode("vectordb:" + ATTACKS.get(1), StandardCharsets.UTF_8)
                + "&page=-1&open=%3Cb%3E"));
        browser.waitUntil("there is no such document", page -> !pages.all("dialog.panel [role=alert]")
                .isEmpty());
        pages.assertNothingRan();
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openSignedIn(RED, page(""));
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("sources", () -> open(page("")));
        states.put("sources-fields", () -> {
            open(page(""));
            pages.script("document.querySelectorAll('details').forEach(one => (one.open = true))");
        });
        states.put("sources-library", () -> open(source("vectordb:handbook")));
        states.put("sources-collection", () -> open(source("agentroot:notes")));
        states.put("sources-nothing", () -> open(source("agentroot:not there")));
        states.put("sources-document", () -> {
            open(source("vectordb:handbook"));
            pages.find(".document-row .source-link").click();
            browser.waitUntil(
                    "the document",
                    page -> page.findElement(ConsolePages.PANEL).getText().contains("lantern"));
        });
        states.put("sources-delete", () -> {
            open(source("vectordb:handbook"));
            pages.find(".document-row button").click();
            browser.waitUntil("the dialog", page -> pages.find("#confirm-name").isDisplayed());
        });
        assertEquals(List.of(), pages.findings(states));
    }
}
