package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * A real Chromium without a window, for tests of pages: the installed one, or that of Debian's packages, which are downloaded
 * on first use. A machine that has neither it nor apt fails the test by name. It reaches this machine only, and has a profile
 * of its own, which is removed with it. A test class starts one for all its tests, since a start takes about a second.
 *
 * <pre>{@code
 * browser.phone();
 * browser.open(gateway.url());
 * browser.driver().findElement(By.name("q")).sendKeys("tugboat", Keys.ENTER);
 * browser.waitUntil("there are results", page -> !page.findElements(By.cssSelector("li")).isEmpty());
 * assertEquals(List.of(), browser.accessibilityFindings());
 * assertEquals(List.of(), browser.errors());
 * }</pre>
 */
public final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final int HIGHEST_SCREENSHOT = 8_000;

    private final BrowserProcess process;
    private final ChromeDriver driver;
    private final BrowserLog log;

    private Browser(BrowserProcess process) {
        this.process = process;
        this.driver = process.driver();
        this.log = new BrowserLog(driver);
    }

    /** Starts one of 1440 by 900 pixels in light colours. */
    public static Browser start() {
        BrowserProcess process = BrowserProcess.start();
        try {
            Browser browser = new Browser(process);
            browser.driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
            browser.size(1440, 900);
            browser.darkMode(false);
            return browser;
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    /** Selenium's driver, for all that is not here. */
    public WebDriver driver() {
        return driver;
    }

    /** Opens {@code url}; returns when the page and what it names are loaded. Errors and requests count from here on. */
    public void open(URI url) {
        // What the page before still says and asks for is not of this one.
        driver.get("about:blank");
        log.clear();
        driver.get(url.toString());
    }

    /** Waits until {@code condition} holds. Elements that are not there yet, or no more, are waited for. */
    public void waitUntil(String what, Predicate<WebDriver> condition) {
        Eventually.that(() -> holds(condition), () -> missed(what));
    }

    /** The same for what the gateway itself notices only now and then, such as that a backend is down. */
    public void waitLongUntil(String what, Predicate<WebDriver> condition) {
        Eventually.within(Eventually.OF_A_PROCESS, () -> holds(condition), () -> missed(what));
    }

    private String missed(String what) {
        return what + "; errors: " + errors() + "; page: " + text();
    }

    private boolean holds(Predicate<WebDriver> condition) {
        try {
            return condition.test(driver);
        } catch (NotFoundException | StaleElementReferenceException _) {
            return false;
        }
    }

    private String text() {
        return String.valueOf(driver.executeScript("return document.body ? document.body.innerText : ''"));
    }

    /** Gives the page a window of a desktop with so many CSS pixels. */
    public void size(int width, int height) {
        metrics(width, height, 1, false);
    }

    /** Gives the page the screen of a phone: 390 by 844 CSS pixels, touch, and the rules of phones for the viewport. */
    public void phone() {
        metrics(390, 844, 2, true);
    }

    private void metrics(int width, int height, int scale, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", scale, "mobile", phone));
        driver.executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", phone));
    }

    /**
     * Whether the person prefers dark colours. In both cases the person wants no motion, so that what is seen is not
     * halfway to something else.
     */
    public void darkMode(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /**
     * What the console shows as an error or a warning since the page was opened: also uncaught exceptions, resources that
     * could not be loaded, and violations of the page's Content Security Policy.
     */
    public List<String> errors() {
        settle();
        return log.errors();
    }

    /**
     * The URLs that were asked for since the page was opened, its own first. What its policy forbids is no request but an error.
     * A page that may show images and names no icon has the browser ask for {@code /favicon.ico}.
     */
    public List<String> requests() {
        settle();
        return log.requests();
    }

    /** Returns when the page has run what was due: two frames are over. */
    private void settle() {
        driver.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))");
    }

    /** What axe-core finds against WCAG 2.2 AA in the page as it is now: the rule, the element, and what is wrong. */
    public List<String> accessibilityFindings() {
        return AccessibilityCheck.findings(driver);
    }

    /** Whether the page is wider than its window. */
    public boolean scrollsSideways() {
        return (Boolean) driver.executeScript(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    }

    /** Writes {@code target/screenshots/<name>.png} with the whole page, also what is below the window. */
    public Path screenshot(String name) {
        Map<?, ?> size = (Map<?, ?>)
                driver.executeCdpCommand("Page.getLayoutMetrics", Map.of()).get("cssContentSize");
        int height = Math.min(HIGHEST_SCREENSHOT, ((Number) size.get("height")).intValue());
        Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", size.get("width"), "height", height, "scale", 1);
        Object png = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", clip))
                .get("data");
        try {
            return Files.write(
                    Files.createDirectories(SCREENSHOTS).resolve(name + ".png"),
                    Base64.getDecoder().decode((String) png));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
