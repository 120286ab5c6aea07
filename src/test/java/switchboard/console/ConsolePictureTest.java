package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The picture of the console in the documentation, which {@code -Ddocs.write=true} takes anew. */
@Tag("engines")
class ConsolePictureTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path PICTURE = DOCS.resolve("images/console-search.png");

    @TempDir
    Path folder;

    @Test
    void thePictureShowsASearchInThisDocumentation() throws IOException {
        if (!Boolean.getBoolean("docs.write")) {
            assertTrue(
                    Files.size(PICTURE) > 10_000,
                    "take it: mvn -Pengines test -Dtest=ConsolePictureTest -Ddocs.write=true");
            return;
        }
        try (TestGateway gateway = TestGateway.start("""
                        backends: {vectordb: {type: vectordb}, agentroot: {type: agentroot}}
                        """, folder);
                Browser browser = Browser.start()) {
            McpTestClient agent = gateway.modern();
            for (String name : List.of("quickstart", "clients", "operations", "security", "scaling")) {
                ToolResult stored = agent.call(
                        "ingest_text",
                        Json.object()
                                .put("library", "handbook")
                                .put("source", "docs/" + name + ".md")
                                .put("content", Files.readString(DOCS.resolve(name + ".md"))));
                assertFalse(stored.isError(), stored::toString);
            }
            browser.size(1280, 860);
            browser.open(gateway.app()
                    .consoleUrl()
                    .orElseThrow()
                    .resolve("search?q=what+happens+to+calls+when+a+backend+is+down&limit=3"));
            browser.waitUntil(
                    "hits",
                    page -> page.findElements(By.cssSelector("hit-card")).size() == 3);
            browser.waitUntil("all is there", page -> page.findElements(By.cssSelector("progress, .loading"))
                    .isEmpty());
            Files.copy(browser.screenshot("console-search"), PICTURE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
