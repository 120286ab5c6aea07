package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import org.openqa.selenium.Keys;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The schedule of a collection on the console's page of sources, in a real Chromium. */
@Tag("engines")
class ConsoleSchedulePageTest {
    private static final ApiKey WRITER = ApiKey.generate(new SecureRandom());
    private static final ApiKey READER = ApiKey.generate(new SecureRandom());

    @TempDir
    static Path folder;

    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.writeString(notes.resolve("pier.md"), "# Pier\n\nThe bell of pier 7.\n");
        Files.writeString(notes.resolve("anchor.md"), "# Anchor\n\nAn anchor is heavy.\n");
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  writers:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["*:*"]
                  readers:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["kb:read,search", "switchboard:read,search"]
                """.formatted(WRITER.sha256(), READER.sha256()));
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  kb: {type: agentroot, roots: ['%s'], collections: {fixed: {update: "0 3 * * *", timeZone: Europe/Berlin}}}
                """.formatted(notes), folder);
        try (McpTestClient agent = gateway.modern("kb").with("X-API-Key", WRITER.text())) {
            for (String name : List.of("free", "fixed", "a b&c")) {
                ToolResult added = agent.call(
                        "collection_add", Json.object().put("name", name).put("path", notes.toString()));
                assertFalse(added.isError(), added::toString);
            }
        }
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    @AfterAll
    static void stop() {
        pages.close();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static void says(String what) {
        browser.waitUntil(what, _ -> pages.text().contains(what));
    }

    private static void open(ApiKey key, String collection) {
        pages.openSignedIn(key, pages.page("sources?s=kb:" + collection));
        browser.waitUntil("the schedule", _ -> !pages.all("section.schedule").isEmpty());
    }

    private static void edit(String update) {
        pages.find(".schedule-edit").click();
        browser.waitUntil("the form", _ -> !pages.all("#schedule-update").isEmpty());
        pages.find("#schedule-update").clear();
        pages.find("#schedule-update").sendKeys(update, Keys.ENTER);
    }

    @Test
    void aPersonSetsAScheduleSeesWhatItDidAndRemovesIt() {
        open(WRITER, "free");
        edit("every 0s");
        says("is not from every 1m to every 366d");
        pages.find("#schedule-update").clear();
        pages.find("#schedule-update").sendKeys("every 15m", Keys.ENTER);
        says("Set by writers/w1.");
        says("last: 2 new (ok)");
        assertTrue(
                pages.find("section.schedule p").getText().startsWith("Updates every 15m, next in 1"),
                () -> pages.text());
        assertEquals(
                "Change the schedule",
                browser.driver().switchTo().activeElement().getText());
        edit("0 3 * * 1");
        says("Updates at 0 3 * * 1 (UTC), next in");
        pages.find(".schedule-edit").click();
        browser.waitUntil("the form", _ -> !pages.all("section.schedule form button.quiet")
                .isEmpty());
        pages.find("section.schedule form button.quiet").click();
        browser.waitUntil(
                "no schedule",
                _ -> !pages.all(".schedule-edit").isEmpty()
                        && pages.find(".schedule-edit").getText().equals("Update by itself"));
        assertEquals(
                List.of(),
                browser.errors().stream()
                        .filter(error -> !error.contains("400"))
                        .toList());
    }

    @Test
    void aNameWithUnusualCharactersHasAScheduleToo() {
        open(WRITER, "a%20b%26c");
        edit("every 1d");
        says("Updates every 1d");
    }

    @Test
    void whatTheConfigurationSaysIsNotChangedHere() {
        open(WRITER, "fixed");
        says("Updates at 0 3 * * * (Europe/Berlin), next in");
        says("switchboard.yaml has this schedule; it is changed there.");
        assertEquals(List.of(), pages.all(".schedule-edit"));
    }

    @Test
    void whoMayOnlyReadChangesNothing() {
        open(READER, "fixed");
        says("Updates at 0 3 * * *");
        assertEquals(List.of(), pages.all(".schedule-edit"));
    }

    @Test
    void everyoneCanUseIt() {
        Map<String, Runnable> states = new LinkedHashMap<>();
        pages.openSignedIn(WRITER, pages.page("sources?s=kb:fixed"));
        states.put("schedule-configured", () -> shown("fixed"));
        states.put("schedule-form", () -> {
            shown("free");
            pages.find(".schedule-edit").click();
            browser.waitUntil("the form", _ -> !pages.all("#schedule-update").isEmpty());
        });
        assertEquals(List.of(), pages.findings(states));
    }

    private static void shown(String collection) {
        browser.open(pages.page("sources?s=kb:" + collection));
        browser.waitUntil("the schedule", _ -> !pages.all("section.schedule").isEmpty());
    }
}
