package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The instruments of {@link Browser}: each defect of a page is reported, and a page without any is not. */
@Tag("engines")
class BrowserTest {
    private static final String STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";
    private static final String PAGE = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            %s</head><body><main><h1>Page</h1>%s</main></body></html>
            """;

    private static HttpServer server;
    private static HttpServer other;
    private static Browser browser;

    /** What the servers answer: content type and body. */
    private static final Map<String, List<String>> FILES = new ConcurrentHashMap<>();

    private static volatile String policy = STRICT;

    @BeforeAll
    static void start() throws IOException {
        server = server();
        other = server();
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.stop(0);
        other.stop(0);
    }

    private static HttpServer server() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        made.createContext("/", BrowserTest::answer);
        made.start();
        return made;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        List<String> file = FILES.get(exchange.getRequestURI().getPath());
        if (file == null) {
            exchange.sendResponseHeaders(404, -1);
        } else {
            byte[] body = file.getLast().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", file.getFirst());
            exchange.getResponseHeaders().set("Content-Security-Policy", policy);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static URI url(HttpServer of, String path) {
        return URI.create("http://127.0.0.1:" + of.getAddress().getPort() + path);
    }

    /** Opens a page with {@code head} and {@code body}, the script {@code script} and the style sheet {@code style}. */
    private static void open(String allowed, String body, String script, String style) {
        policy = allowed;
        String head = (script.isEmpty() ? "" : "<script src=\"/page.js\" defer></script>")
                + (style.isEmpty() ? "" : "<link rel=\"stylesheet\" href=\"/page.css\">");
        FILES.put("/page", List.of("text/html; charset=utf-8", PAGE.formatted(head, body)));
        FILES.put("/page.js", List.of("text/javascript", script));
        FILES.put("/page.css", List.of("text/css", style));
        browser.open(url(server, "/page"));
    }

    private static void assertReported(String part) {
        List<String> errors = browser.errors();
        assertTrue(errors.stream().anyMatch(error -> error.contains(part)), part + " in " + errors);
    }

    @Test
    void aPageWithoutDefectsHasNoFindings() {
        open(STRICT, "<p>Text</p>", "document.title = 'Ready';", "p { color: #222; background: #fff }");
        browser.waitUntil("the script ran", page -> page.getTitle().equals("Ready"));
        assertEquals(List.of(), browser.accessibilityFindings());
        assertEquals(List.of(), browser.errors());
        assertEquals(
                List.of(url(server, "/page"), url(server, "/page.js"), url(server, "/page.css")).stream()
                        .map(URI::toString)
                        .sorted()
                        .toList(),
                browser.requests().stream().sorted().toList());
        assertFalse(browser.scrollsSideways());
    }

    @Test
    void anInlineScriptAgainstThePolicyIsReported() {
        open(STRICT, "<script>document.title = 'Ran'</script>", "", "");
        assertEquals("Page", browser.driver().getTitle());
        assertReported("Content Security Policy");
    }

    @Test
    void aValueThatIsNoTrustedTypeIsReported() {
        open(STRICT, "<p id=\"p\"></p>", "document.getElementById('p').innerHTML = '<b>x</b>';", "");
        assertReported("TrustedHTML");
    }

    @Test
    void exceptionsThatNobodyCaughtAreReported() {
        open(STRICT, "", "setTimeout(() => { throw new Error('lost-1') }); Promise.reject(new Error('lost-2'));", "");
        assertReported("lost-1");
        assertReported("lost-2");
    }

    @Test
    void warningsAreReportedAndRemarksAreNot() {
        open(STRICT, "", "console.log('a-remark'); console.warn('a-warning'); console.error('an-error');", "");
        assertReported("a-warning");
        assertReported("an-error");
        assertFalse(browser.errors().toString().contains("a-remark"));
    }

    @Test
    void aFileThatIsNotThereIsReported() {
        open(STRICT, "", "fetch('/none').then(() => { document.title = 'Asked'; });", "");
        browser.waitUntil("the answer is there", page -> page.getTitle().equals("Asked"));
        assertReported("404");
    }

    @Test
    void requestsToOthersAreReported() {
        FILES.put("/data", List.of("text/plain", "x"));
        String elsewhere = url(other, "/data").toString();
        String script = "fetch('%s', {mode: 'no-cors'}).finally(() => { document.title = 'Asked'; });";
        open("default-src 'self'; connect-src *", "", script.formatted(elsewhere), "");
        browser.waitUntil("the answer is there", page -> page.getTitle().equals("Asked"));
        assertTrue(browser.requests().contains(elsewhere), browser.requests()::toString);
        assertEquals(List.of(), browser.errors());

        open(STRICT, "", script.formatted(elsewhere), "");
        browser.waitUntil("the answer is there", page -> page.getTitle().equals("Asked"));
        assertReported(elsewhere);
    }

    @Test
    void nothingButThisMachineIsReached() {
        String script = "Promise.allSettled(['http://example.com/', 'http://192.0.2.1/'].map(url =>"
                + " fetch(url, {mode: 'no-cors'}))).then(all => { document.title = all.map(one => one.status).join(); });";
        open("default-src 'self'; connect-src *", "", script, "");
        browser.waitUntil("both failed", page -> page.getTitle().equals("rejected,rejected"));
        assertReported("ERR_NAME_NOT_RESOLVED");
        assertTrue(browser.requests().contains("http://example.com/"), browser.requests()::toString);
    }

    @Test
    void aWebSocketIsARequest() {
        String socket = url(other, "/socket").toString().replace("http:", "ws:");
        open("default-src 'self'; connect-src *", "", "new WebSocket('" + socket + "');", "");
        Eventually.first(browser::requests, requests -> requests.contains(socket));
    }

    @Test
    void contrastIsMeasuredInLightAndInDark() {
        String style = "@media (prefers-color-scheme: dark) { body { background: #000 } p { color: #333 } }";
        open(STRICT, "<p>Text</p>", "", style);
        assertEquals(List.of(), browser.accessibilityFindings());
        browser.darkMode(true);
        try {
            List<String> findings = browser.accessibilityFindings();
            assertTrue(
                    findings.stream().anyMatch(finding -> finding.startsWith("color-contrast p: ")),
                    findings::toString);
        } finally {
            browser.darkMode(false);
        }
        assertEquals(List.of(), browser.errors());
    }

    @Test
    void targetsOfWcag22AreMeasured() {
        String button = "<button class=\"b\">%s</button>";
        open(
                STRICT,
                button.formatted("x") + button.formatted("y"),
                "",
                ".b { width: 10px; height: 10px; padding: 0; margin: 0; border: 0; font-size: 8px }");
        List<String> findings = browser.accessibilityFindings();
        assertTrue(findings.stream().anyMatch(finding -> finding.startsWith("target-size")), findings::toString);
    }

    @Test
    void aWidePageScrollsSidewaysOnAPhone() {
        open(STRICT, "<div class=\"wide\">x</div>", "", ".wide { width: 600px }");
        assertFalse(browser.scrollsSideways());
        browser.phone();
        try {
            open(STRICT, "<div class=\"wide\">x</div>", "", ".wide { width: 600px }");
            assertTrue(browser.scrollsSideways());
        } finally {
            browser.size(1440, 900);
        }
    }

    @Test
    void whatWasBeforeThePageIsForgotten() {
        open(STRICT, "", "console.error('an-error');", "");
        assertReported("an-error");
        open(STRICT, "<p>Text</p>", "", "");
        assertEquals(List.of(), browser.errors());
        assertEquals(List.of(url(server, "/page").toString()), browser.requests());
    }

    @Test
    void aScreenshotHasTheWholePage() throws IOException {
        open(STRICT, "<div class=\"high\">x</div>", "", ".high { height: 2000px }");
        Path png = browser.screenshot("browser-test");
        assertTrue(ImageIO.read(png.toFile()).getHeight() > 2000);
        Files.delete(png);
    }

    @Test
    void nothingIsLeftOfABrowserWhoseDriverWasKilled() {
        BrowserProcess process = BrowserProcess.start();
        try {
            ProcessHandle driver = BrowserProcess.processes(process.folder()).stream()
                    .filter(one -> one.info().command().orElse("").endsWith("chromedriver"))
                    .findFirst()
                    .orElseThrow();
            driver.destroyForcibly();
            Eventually.that(() -> !driver.isAlive(), () -> "the driver ends");
            assertFalse(BrowserProcess.processes(process.folder()).isEmpty(), "the browser goes on");
        } finally {
            process.close();
        }
        assertEquals(List.of(), BrowserProcess.processes(process.folder()));
        assertFalse(Files.exists(process.folder()));
    }
}
