package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
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
import switchboard.testing.CurlCommand;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;

/** The console's page on which a person calls a tool: a real Chromium at a gateway with a store and another MCP server. */
@Tag("engines")
class ConsoleToolsPageTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey READER = ApiKey.generate(new SecureRandom());
    private static final String EVERY_KIND = "fixture__" + TriedTools.EVERY_KIND;
    private static final String HOSTILE = "fixture__" + TriedTools.HOSTILE;
    private static final String ROUNDS = "fixture__test_input_required_result_multi_round";

    @TempDir
    static Path folder;

    private static TriedTools tools;
    private static McpTestClient agent;
    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        tools = new TriedTools();
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["*:*"]
                  reader:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:read,search"]
                """.formatted(RED.sha256(), READER.sha256()));
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  fixture: {type: mcp, url: "%s", trust: {hold: nothing}}
                """.formatted(tools.fixture().url()), folder);
        agent = gateway.modern().with("X-API-Key", RED.text());
        // A start waits for another server for a while only.
        Eventually.that(() -> agent.toolNames().contains(EVERY_KIND), () -> "its tools were never listed");
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    @AfterAll
    static void stop() {
        pages.close();
        tools.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
        tools.fixture().forgetReceived();
    }

    private static URI page(String rest) {
        return pages.page("tools" + rest);
    }

    private static URI tool(String name) {
        return page("?tool=" + encoded(name));
    }

    private static URI tool(String name, String args) {
        return URI.create(tool(name) + "#args=" + encoded(args));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void openSignedIn(ApiKey key, URI url) {
        pages.openSignedIn(key, url);
        ready();
    }

    private static void open(URI url) {
        String before = browser.driver().getCurrentUrl();
        browser.open(url);
        if (before.split("#", 2)[0].equals(url.toString().split("#", 2)[0])) {
            browser.driver().navigate().refresh(); // another part after # loads nothing
        }
        ready();
    }

    private static void ready() {
        browser.waitUntil("the tools", page -> !pages.all(".tool-place h1").isEmpty());
        browser.waitUntil("their backends", page -> pages.all(".tool-groups h2").size() > 1);
    }

    /** What a field of the form is written into. */
    private static WebElement control(String pointer) {
        return pages.find("[data-field=\"" + pointer + "\"] :is(input:not([type=checkbox]), textarea, select)");
    }

    private static void write(String pointer, String text) {
        control(pointer).clear();
        control(pointer).sendKeys(text);
    }

    private static void choose(String pointer, String label) {
        choose(control(pointer), label);
    }

    private static void choose(WebElement select, String label) {
        select.findElement(By.xpath("option[.='" + label + "']")).click();
    }

    private static String chosen(String pointer) {
        return control(pointer).findElement(By.cssSelector("option:checked")).getText();
    }

    private static void press(String label) {
        pages.find("button[aria-label=\"" + label + "\"]").click();
    }

    private static WebElement button(String text) {
        return browser.driver().findElement(By.xpath("//button[normalize-space()='" + text + "']"));
    }

    private static void call() {
        button("Call the tool").click();
    }

    private static void answered(String words) {
        browser.waitUntil(
                "the answer has " + words,
                page -> !pages.all(".tool-answer").isEmpty()
                        && pages.find(".tool-answer").getText().contains(words));
    }

    private static String json() {
        return pages.find("#args-json").getAttribute("value");
    }

    private static JsonNode parsed(String json) {
        try {
            return Json.parse(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String error(String pointer) {
        return pages.find("[data-field=\"" + pointer + "\"] > .field-error").getText();
    }

    /** How many calls the gateway has at the other server. */
    private static int inFlight() {
        Object calls = ((JavascriptExecutor) browser.driver()).executeAsyncScript("""
                const done = arguments[0];
                fetch('api/v1/backends').then(answer => answer.json())
                    .then(({backends}) => done(backends.find(one => one.id === 'fixture').in_flight));
                """);
        return ((Number) calls).intValue();
    }

    @Test
    void aFormOfEveryKindGivesTheToolWhatItSays() {
        openSignedIn(RED, tool(EVERY_KIND));
        write("/title", "A \"lantern\"");
        write("/body", "First line\nSecond line");
        write("/count", "7");
        write("/ratio", "0.50");
        choose("/urgent", "true");
        choose("/colour", "green");
        choose("/size", "Large");
        pages.find("[data-field='/level'] .null-box input").click();
        pages.script(
                "const set = (at, value) => { const field = document.querySelector(`[data-field=\"${at}\"] input`);"
                        + " field.value = value; field.dispatchEvent(new Event('change')); };"
                        + " set('/day', '2026-03-04'); set('/at', '2026-03-04T05:06:07')");
        press("Add to tags");
        browser.driver().switchTo().activeElement().sendKeys("wet");
        press("Add to tags");
        browser.driver().switchTo().activeElement().sendKeys("cold");
        press("Remove tags 1");
        pages.find("[data-field='/toppings'] label:nth-of-type(3) input").click();
        pages.find("[data-field='/toppings'] label:nth-of-type(1) input").click();
        press("Add place");
        write("/place/street", "Pier");
        write("/place/number", "4");
        press("Add inside");
        write("/place/inside/street", "Shed");
        press("Add to people");
        write("/people/0/name", "Ada");
        write("/people/0/age", "36");
        write("/free", "{\"depth\": [1, null]}");
        choose(pages.find("#main select[id$=-variant]"), "list");
        press("Add to either");
        write("/either/0", "5");
        call();
        answered("This is a simple text.");
        String at = LocalDateTime.parse("2026-03-04T05:06:07")
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace("Z", ".000Z");
        JsonNode expected = parsed("""
                {"title": "A \\"lantern\\"", "body": "First line\\nSecond line", "count": 7, "ratio": 0.5, "urgent": true,
                 "colour": "green", "size": 2, "level": null, "day": "2026-03-04", "at": "%s", "tags": ["cold"],
                 "toppings": ["salt", "lime"], "place": {"street": "Pier", "number": 4, "inside": {"street": "Shed"}},
                 "people": [{"name": "Ada", "age": 36}], "free": {"depth": [1, null]}, "either": [5]}
                """.formatted(at));
        assertEquals(expected, tools.arguments());
        assertEquals(expected, parsed(json()), "the JSON is in step");
        assertEquals("0.50", control("/ratio").getAttribute("value"), "what was written stays as it was written");
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void theJsonAndTheFormAreInStepAndTheAddressKeepsBoth() {
        openSignedIn(RED, tool(EVERY_KIND));
        pages.find(".json-fold summary").click();
        WebElement json = pages.find("#args-json");
        json.clear();
        json.sendKeys("{\"title\": \"From JSON\", \"people\": [{\"name\": \"Bo\"}], \"colour\": \"blue\"");
        browser.waitUntil(
                "it is not JSON yet",
                page -> pages.find("#args-json-error").getText().startsWith("Not JSON"));
        call();
        assertEquals("args-json", browser.driver().switchTo().activeElement().getAttribute("id"));
        assertEquals(List.of(), tools.calls(), "there is nothing that could be sent");
        json.sendKeys("}");
        browser.waitUntil(
                "the form has it",
                page -> control("/title").getAttribute("value").equals("From JSON"));
        assertEquals("Bo", control("/people/0/name").getAttribute("value"));
        assertEquals("\"blue\"", chosen("/colour"));
        assertEquals("It has to be one of the list.", error("/colour"));
        choose("/colour", "red");
        browser.waitUntil("the JSON has it", page -> json().contains("\"colour\": \"red\""));
        String args = "{\"title\":\"From JSON\",\"people\":[{\"name\":\"Bo\"}],\"colour\":\"red\"}";
        browser.waitUntil("the address has it", page -> page.getCurrentUrl()
                .equals(tool(EVERY_KIND, args).toString()));

        open(tool(EVERY_KIND, args.replace("Bo", "Cy & <b>")));
        assertEquals("Cy & <b>", control("/people/0/name").getAttribute("value"));
        assertEquals("red", chosen("/colour"));
        assertEquals(List.of(), tools.calls(), "a link calls nothing");
        browser.driver().findElement(By.partialLinkText("test_error_handling")).click();
        browser.waitUntil(
                "the other tool",
                page -> pages.find(".tool-place h1").getText().equals("fixture__test_error_handling"));
        browser.driver().navigate().back();
        browser.waitUntil("the first again", page -> !pages.all("[data-field='/people/0/name']")
                .isEmpty());
        assertEquals("Cy & <b>", control("/people/0/name").getAttribute("value"));
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whatIsWrongIsSaidAndSentAllTheSame() {
        openSignedIn(RED, tool(EVERY_KIND));
        assertEquals("", error("/title"), "nobody is blamed for what was not written yet");
        write("/count", "11");
        assertEquals("At most 10.", error("/count"));
        write("/ratio", "half");
        assertEquals("It has to be a number.", error("/ratio"));
        call();
        answered("This is a simple text.");
        assertEquals(parsed("{\"count\": 11, \"ratio\": \"half\"}"), tools.arguments(), "its server decides");
        assertEquals("It is required.", error("/title"));
        assertTrue(pages.find(".call-buttons").getText().contains("3 fields may not be as the tool wants them."));
        write("/count", "2");
        write("/ratio", "2.5e-1");
        write("/title", "Right");
        control("/title").sendKeys(Keys.ENTER);
        answered("This is a simple text.");
        assertEquals(parsed("{\"title\": \"Right\", \"count\": 2, \"ratio\": 0.25}"), tools.arguments());
        open(tool("list_documents", "{\"limit\": 0}"));
        call();
        answered("INVALID_ARGUMENT");
        assertTrue(pages.find(".tool-answer [role=alert]").getText().contains("The tool reports an error"));
    }

    @Test
    void aCallShowsItsProgressAndCanBeCancelled() {
        openSignedIn(RED, tool("fixture__test_tool_with_progress"));
        tools.hold();
        try {
            call();
            browser.waitUntil(
                    "its progress",
                    page -> !pages.all(".call-line").isEmpty()
                            && pages.find(".call-line").getText().contains("100 of 100"));
            assertFalse(button("Call the tool").isEnabled());
            String before = pages.find(".elapsed").getText();
            browser.waitUntil(
                    "time goes on", page -> !pages.find(".elapsed").getText().equals(before));
            assertEquals(1, inFlight());
            button("Cancel").click();
            answered("Cancelled after");
            assertTrue(button("Call the tool").isEnabled());
            Eventually.that(() -> inFlight() == 0, () -> "the gateway cancels it too");
        } finally {
            tools.release();
        }
        call();
        answered("All of it.");
        assertTrue(pages.find(".tool-answer").getText().contains("tokens (estimate)"), pages.text());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void anAnswerIsShownByItsParts() {
        openSignedIn(RED, tool("fixture__test_multiple_content_types"));
        call();
        answered("Text first.");
        assertTrue(pages.find(".content-items img").getAttribute("src").startsWith("data:image/png;base64,"));
        assertTrue(pages.find("#answer-panel").getText().contains("An embedded text."));
        pages.find("#answer-tab-text").sendKeys(Keys.ARROW_RIGHT);
        browser.waitUntil(
                "the messages", page -> pages.find("#answer-panel").getText().contains("\"jsonrpc\": \"2.0\""));
        assertEquals(
                "answer-tab-raw", browser.driver().switchTo().activeElement().getAttribute("id"));

        open(tool("fixture__test_error_handling"));
        call();
        answered("The tool reports an error");
        assertTrue(pages.find(".summary").getText().startsWith("Failed after"), pages.text());
        assertTrue(pages.find("#answer-panel").getText().contains("This tool fails on purpose."), pages.text());

        open(tool("fixture__test_header_parameter", "{\"region\": \"Zürich\"}"));
        call();
        answered("region Zürich");

        open(tool("list_libraries"));
        assertTrue(pages.find(".schema-fields").getText().contains("It takes no arguments."), pages.text());
        call();
        answered("Answered after");
        pages.find("#answer-tab-structured").click();
        browser.waitUntil("the structured part", page -> !pages.all("#answer-panel .member")
                .isEmpty());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void whatAToolAsksIsAnsweredInAForm() {
        openSignedIn(RED, tool(ROUNDS));
        call();
        answered("Step 1: your name?");
        pages.find("[data-field='/name'] input, [data-field='/name'] textarea").sendKeys("Ada");
        button("Accept").click();
        answered("Step 2: your color?");
        assertEquals(
                parsed("{\"step1\": {\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}"),
                tools.lastCall().path("inputResponses"));
        pages.find("[data-field='/color'] textarea").sendKeys("red");
        button("Accept").click();
        answered("Both steps are done.");
        pages.find("#answer-tab-raw").click();
        browser.waitUntil("three rounds", page -> pages.all("#answer-panel h3").size() == 6);

        open(tool("fixture__test_elicitation_sep1330_enums"));
        call();
        answered("Please choose.");
        choose("/titledSingle", "Second Option");
        pages.find("[data-field='/titledMulti'] label:nth-of-type(2) input").click();
        button("Accept").click();
        answered("The user chose accept: {\"titledSingle\":\"value2\",\"titledMulti\":[\"value2\"]}");

        open(tool("fixture__test_elicitation_sep1034_defaults"));
        call();
        answered("Please check the values.");
        assertEquals("John Doe", control("/name").getAttribute("value"));
        button("Decline").click();
        answered("The user chose decline");
        call();
        answered("Please check the values.");
        button("Cancel").click();
        answered("Cancelled after");
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void severalQuestionsAreAnsweredTogetherAndAPageIsOpenedByThePersonOnly() {
        openSignedIn(RED, tool("fixture__test_audio_content"));
        call();
        answered("The tool asks (1 of 2)");
        write("/volume", "12");
        assertEquals("At most 11.", error("/volume"));
        write("/volume", "11");
        button("Accept").click();
        answered("Read the terms.");
        WebElement link = pages.find(".asked a");
        assertEquals("https://terms.example/?a=1", link.getAttribute("href"));
        assertTrue(pages.find(".asked").getText().contains("open a page of terms.example"), pages.text());
        button("Decline").click();
        answered("audio/wav");
        assertEquals(parsed("""
                        {"volume": {"action": "accept", "content": {"volume": 11}}, "terms": {"action": "decline"}}"""), tools.lastCall().path("inputResponses"));
        assertEquals("asked twice", tools.lastCall().path("requestState").asText());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void aDestructiveToolIsCalledAfterAQuestionOnly() {
        openSignedIn(RED, tool("fixture__test_trigger_tool_change"));
        assertTrue(pages.find(".tool-name").getText().contains("destructive"), pages.text());
        call();
        browser.waitUntil("the question", page -> pages.find("dialog[open]").isDisplayed());
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("it is gone", page -> pages.all("dialog[open]").isEmpty());
        assertEquals(List.of(), tools.calls());
        call();
        browser.waitUntil("the question", page -> pages.find("dialog[open]").isDisplayed());
        assertEquals("Cancel", browser.driver().switchTo().activeElement().getText());
        button("Call it").click();
        answered("The tools have changed.");
        assertEquals(1, tools.calls().size());
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void toolsAreListedByBackendAndEachPersonSeesTheirOwn() {
        openSignedIn(RED, page(""));
        List<String> groups =
                pages.all(".tool-groups h2").stream().map(WebElement::getText).toList();
        assertEquals(List.of("fixture", "switchboard", "vectordb"), groups);
        assertTrue(pages.find(".tool-groups section:nth-of-type(3)").getText().contains("ingest_text"), pages.text());
        pages.find("tool-list input").sendKeys("vectordb delete");
        browser.waitUntil("the one", page -> pages.all(".tool-link").size() == 1);
        pages.find(".tool-link").click();
        browser.waitUntil("its form", page -> !pages.all("[data-field]").isEmpty());
        assertTrue(browser.driver().getCurrentUrl().contains("?tool=delete_document"));
        open(tool("not there"));
        assertEquals("No such tool", pages.find(".tool-place h1").getText());
        browser.driver().manage().deleteAllCookies();
        browser.open(page(""));
        pages.signIn(READER);
        browser.waitUntil("the tools", page -> !pages.all(".tool-link").isEmpty());
        String list = pages.find(".tool-groups").getText();
        assertTrue(list.contains("get_document") && !list.contains("delete_document") && !list.contains("test_"), list);
    }

    @Test
    void aListOfSeveralPagesIsReadToItsEnd() {
        tools.more(260); // a page has 250
        try {
            Eventually.that(() -> agent.toolNames().contains("fixture__more_259"), () -> "they were never listed");
            openSignedIn(RED, tool("fixture__more_259"));
            assertEquals("fixture__more_259", pages.find(".tool-place h1").getText());
            assertEquals(agent.toolNames().size(), pages.all(".tool-link").size());
            assertTrue(agent.toolNames().size() > 260, "two pages");
            pages.find("tool-list input").sendKeys("MORE_25");
            browser.waitUntil("those", page -> pages.all(".tool-link").size() == 11);
        } finally {
            tools.more(0);
        }
        Eventually.that(() -> !agent.toolNames().contains("fixture__more_259"), () -> "they stayed listed");
    }

    @Test
    void aCopiedCallDoesTheSameAndHasNoKey() throws IOException {
        openSignedIn(RED, tool(EVERY_KIND, "{\"title\":\"It's $HOME\",\"urgent\":true,\"free\":{\"x\":null}}"));
        browser.driver().findElement(By.xpath("//summary[.='Copy the call']")).click();
        String curl = pages.find("#copy-panel pre").getText();
        assertTrue(curl.contains("Bearer $SWITCHBOARD_KEY") && !curl.contains(RED.text()), curl);
        HttpReply reply =
                CurlCommand.parse(curl.replace("$SWITCHBOARD_KEY", RED.text())).run();
        assertTrue(reply.body().contains("This is a simple text."), reply::body);
        assertEquals("It's $HOME", tools.arguments().path("title").asText());
        pages.find("#copy-tab-python").click();
        browser.waitUntil(
                "Python", page -> pages.find("#copy-panel pre").getText().contains("\"urgent\": True"));
        String python = pages.find("#copy-panel pre").getText();
        assertTrue(python.contains("os.environ['SWITCHBOARD_KEY']") && python.contains("\"x\": None"), python);
        tools.fixture().forgetReceived();
        Path program = Files.writeString(folder.resolve("copied.py"), python);
        String run = "import os, runpy, sys; os.environ['SWITCHBOARD_KEY'] = sys.argv[2];"
                + " runpy.run_path(sys.argv[1], run_name='__main__')";
        String printed = PythonTools.install().run("python", "-c", run, program.toString(), RED.text());
        assertTrue(printed.contains("This is a simple text."), printed);
        assertEquals(
                parsed("{\"title\": \"It's $HOME\", \"urgent\": true, \"free\": {\"x\": null}}"), tools.arguments());
    }

    @Test
    void nothingThatAToolSaysRuns() {
        openSignedIn(RED, tool(HOSTILE));
        assertEquals(ConsolePages.ATTACKS.get(0), pages.find(".tool-place h1").getText());
        assertEquals(
                ConsolePages.ATTACKS.get(1), pages.find(".tool-description").getText());
        pages.script("document.querySelectorAll('details').forEach(one => (one.open = true))");
        call();
        answered("Answered after");
        assertTrue(pages.find("#answer-panel").getText().contains(ConsolePages.ATTACKS.get(0)), pages.text());
        assertEquals(List.of(), pages.all("#answer-panel img, #answer-panel a"));
        pages.find("#answer-tab-structured").click();
        browser.waitUntil("the structured part", page -> !pages.all("#answer-panel .member")
                .isEmpty());
        pages.find("#answer-tab-raw").click();
        pages.assertNothingRan();
        for (String attack : ConsolePages.ATTACKS.subList(0, 3)) {
            open(tool(attack, "{\"" + "x\": \"" + attack.replace("\"", "\\\"") + "\"}"));
            assertEquals("No such tool", pages.find(".tool-place h1").getText());
        }
        open(
                tool(
                        HOSTILE,
                        "{\"loop\": [[1]], \"__proto__\": {\"attacked\": 1}, \"one\": \"<img src=x onerror='window.attacked=1'>\"}"));
        pages.script("if ({}.attacked !== undefined) throw new Error('the prototype was changed')");
        pages.assertNothingRan();
    }

    @Test
    void allCanUseItInLightAndDarkOnAPhoneAndADesktop() {
        openSignedIn(RED, page(""));
        Map<String, Runnable> states = new LinkedHashMap<>();
        states.put("tools", () -> open(page("")));
        states.put("tools-form", () -> {
            open(tool(EVERY_KIND, """
                    {"title": "x", "count": 99, "tags": ["wet"], "place": {"street": "Pier"}, "people": [{"name": "Ada"}],
                     "toppings": ["lime"], "level": null, "either": [1]}"""));
            pages.script("document.querySelectorAll('details').forEach(one => (one.open = true))");
        });
        states.put("tools-answer", () -> {
            open(tool("list_libraries"));
            call();
            answered("Answered after");
            pages.find("#answer-tab-structured").click();
        });
        states.put("tools-asks", () -> {
            open(tool("fixture__test_elicitation_sep1034_defaults"));
            call();
            answered("Please check the values.");
        });
        states.put("tools-confirm", () -> {
            open(tool("fixture__test_trigger_tool_change"));
            call();
            browser.waitUntil("the question", page -> pages.find("dialog[open]").isDisplayed());
        });
        assertEquals(List.of(), pages.findings(states));
    }
}
