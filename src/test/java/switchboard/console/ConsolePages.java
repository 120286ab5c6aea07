package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console of a gateway in a browser of its own: what tests of all its pages do and look at. */
record ConsolePages(TestGateway gateway, Browser browser) implements AutoCloseable {
    /** Where a document is shown. */
    static final By PANEL = By.cssSelector("dialog.panel[open]");

    /** Texts that would run if one of them came into a page as anything but text. */
    static final List<String> ATTACKS = List.of(
            "<script>window.attacked = 1</script>",
            "<img src=x onerror=\"window.attacked = 1\">",
            "\"><iframe srcdoc=\"<script>parent.attacked = 1</script>\"></iframe>",
            "javascript:window.attacked=1",
            "<svg/onload=window.attacked=1>",
            "' autofocus onfocus=window.attacked=1 x='",
            "${window.attacked = 1}{{constructor.constructor('window.attacked = 1')()}}",
            "</textarea></title></style><script>window.attacked = 1</script>",
            "<a href=\"javascript:window.attacked=1\">lantern</a>",
            "<base href=\"https://evil.example/\"><meta http-equiv=refresh content=\"0;url=https://evil.example/\">");

    /** Stores a document by the tool {@code ingest_text}. */
    static void put(McpTestClient agent, String library, String source, String title, String text) {
        ObjectNode document = Json.object()
                .put("library", library)
                .put("source", source)
                .put("title", title)
                .put("content", text);
        document.putObject("metadata").put("note", source);
        ToolResult stored = agent.call("ingest_text", document);
        assertFalse(stored.isError(), stored::toString);
    }

    /** A desktop in light colours that nobody has signed in on. */
    void asAtAFirstVisit() {
        browser.size(1440, 900);
        browser.darkMode(false);
        browser.driver().manage().deleteAllCookies();
    }

    /** The URL of the page {@code path}, which may have a query. */
    URI page(String path) {
        return gateway.app().consoleUrl().orElseThrow().resolve(path);
    }

    WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    String text() {
        return find("body").getText();
    }

    Object script(String script) {
        return ((JavascriptExecutor) browser.driver()).executeScript(script);
    }

    /** Signs in on the page that asks for it; returns when the page behind it is there. */
    void signIn(ApiKey key) {
        browser.waitUntil("the sign-in", _ -> find("#key").isDisplayed());
        find("#key").sendKeys(key.text(), Keys.ENTER);
        browser.waitUntil(
                "the page", _ -> find("#main").isDisplayed() && find(".top").isDisplayed());
    }

    /** Signs in, and opens {@code url} anew. */
    void openSignedIn(ApiKey key, URI url) {
        browser.open(url);
        signIn(key);
        browser.open(url);
    }

    void closeDocument() {
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil(
                "the document is closed", page -> page.findElements(PANEL).isEmpty());
    }

    /** None of the {@link #ATTACKS} has run, and nothing complained. */
    void assertNothingRan() {
        assertEquals(List.of(), browser.errors());
        assertEquals(Boolean.TRUE, script("return window.attacked === undefined"));
        assertOnlyTheConsoleWasAsked();
    }

    private void assertOnlyTheConsoleWasAsked() {
        String console = page("/").toString();
        for (String url : browser.requests()) {
            assertTrue(url.startsWith(console) || url.startsWith("data:"), url);
        }
    }

    /** What a page is looked at on, and in which colours. */
    private enum Look {
        DESKTOP(false, false),
        PHONE_DARK(true, true),
        DESKTOP_DARK(false, true),
        PHONE(true, false);

        private final boolean phone;
        private final boolean dark;

        Look(boolean phone, boolean dark) {
            this.phone = phone;
            this.dark = dark;
        }

        void on(Browser browser) {
            if (phone) {
                browser.phone();
            } else {
                browser.size(1440, 900);
            }
            browser.darkMode(dark);
        }
    }

    /**
     * What is wrong with a page in each of its states, on a desktop or on a phone, in light or in dark, one after the other in turn; in
     * the long run each state in all four: for people who need assistance, with its width, or by what the browser reports. Takes a
     * picture of each then. {@code -Dswitchboard.seed=N} gives the states other looks.
     *
     * @param states brings the page there, by name
     */
    List<String> findings(Map<String, Runnable> states) {
        List<String> findings = new ArrayList<>();
        List<String> names = states.keySet().stream().sorted().toList();
        long first = names.getFirst().hashCode() + Long.getLong("switchboard.seed", 0);
        states.forEach((state, show) -> {
            int turn = Math.floorMod(first + names.indexOf(state), Look.values().length);
            for (Look look : LongRun.either(List.of(Look.values()[turn]), List.of(Look.values()))) {
                look.on(browser);
                show.run();
                findings.addAll(
                        findings("console-" + state + (look.phone ? "-phone" : "") + (look.dark ? "-dark" : "")));
            }
        });
        return findings;
    }

    private List<String> findings(String name) {
        LongRun.only(() -> browser.screenshot(name));
        List<String> findings = new ArrayList<>(browser.accessibilityFindings());
        // Who is not signed in is told by 401, which the browser itself reports.
        boolean signedOut = !all("#key").isEmpty();
        browser.errors().stream()
                .filter(error -> !(signedOut && error.contains("401")))
                .forEach(findings::add);
        if (browser.scrollsSideways()) {
            findings.add("wider than its window");
        }
        all(".top").forEach(top -> {
            if (top.getSize().getHeight() > 72) {
                findings.add("the top has several lines");
            }
        });
        assertOnlyTheConsoleWasAsked();
        return findings.stream().map(finding -> name + ": " + finding).toList();
    }

    @Override
    public void close() {
        browser.close();
        gateway.close();
    }
}
