package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console of somebody who may use one view only, and not the default one, in a real Chromium. */
@Tag("engines")
class ConsoleViewTest {
    @TempDir
    Path folder;

    @Test
    void pagesAskTheViewThatThePersonMayUse() throws IOException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed", "switchboard:read,search"]
                    views: [reading]
                """.formatted(key.sha256()));
        try (TestGateway gateway = TestGateway.start("""
                        auth: {mode: keys}
                        console: {enabled: true}
                        embedders: {default: {provider: none}}
                        backends: {vectordb: {type: vectordb}, other: {type: vectordb, dataDir: other}}
                        views: {reading: {backends: [vectordb, switchboard]}}
                        """, folder);
                Browser browser = Browser.start()) {
            McpTestClient agent = gateway.modern("reading").with("X-API-Key", key.text());
            ToolResult stored = agent.call(
                    "ingest_text", Json.object().put("library", "handbook").put("content", "The lantern."));
            assertFalse(stored.isError(), stored::toString);
            URI console = gateway.app().consoleUrl().orElseThrow();
            browser.open(console.resolve("search?q=lantern"));
            browser.waitUntil(
                    "the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
            browser.driver().findElement(By.id("key")).sendKeys(key.text(), Keys.ENTER);
            browser.waitUntil(
                    "the hit",
                    page -> page.findElements(By.cssSelector("hit-card")).size() == 1);
            browser.open(console.resolve("sources"));
            browser.waitUntil(
                    "the library",
                    page -> page.findElement(By.id("main")).getText().contains("handbook"));
            String text = browser.driver().findElement(By.id("main")).getText();
            assertFalse(text.contains("other") || text.contains("in flight"), text);
            assertEquals(List.of(), browser.errors());
        }
    }
}
