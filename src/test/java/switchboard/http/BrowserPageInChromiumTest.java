package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.testing.Browser;
import switchboard.testing.TestGateway;

/** The page for people, in a real browser. */
@Tag("engines")
class BrowserPageInChromiumTest {
    private static TestGateway gateway;
    private static Browser browser;

    @BeforeAll
    static void start() {
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """);
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        gateway.close();
    }

    @ParameterizedTest(name = "{0}x{1}, dark: {2}")
    @CsvSource({"390, 844, false", "390, 844, true", "1440, 900, false", "1440, 900, true"})
    void thePageIsAccessibleAndAsksNobody(int width, int height, boolean dark) {
        browser.size(width, height);
        browser.darkMode(dark);
        URI url = gateway.url();
        browser.open(url);
        assertEquals("Switchboard", browser.driver().getTitle());
        browser.screenshot("mcp-page-" + width + (dark ? "-dark" : "-light"));
        assertAll(
                () -> assertEquals(List.of(), browser.accessibilityFindings()),
                () -> assertEquals(List.of(), browser.errors()),
                () -> assertEquals(List.of(url.toString()), browser.requests()),
                () -> assertFalse(browser.scrollsSideways(), "the page fits into the window"));
    }
}
