package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.concurrent.TeamShare;
import switchboard.testing.OpenTimers;

/**
 * A web of two addresses: 127.0.0.1 plays the public Internet, everything else is private. Names are what the test says.
 */
@ExtendWith(VertxExtension.class)
class GuardedFetcherTest {
    private static final FetchLimits LIMITS = new FetchLimits(100_000, Duration.ofSeconds(20), 3);

    private Vertx vertx;
    private final Map<String, List<String>> names = new ConcurrentHashMap<>();
    private final Map<String, Handler<HttpServerRequest>> pages = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private GuardedFetcher fetcher;
    private HttpServer server;

    @BeforeEach
    void start(Vertx vertx) {
        this.vertx = vertx;
        server = vertx.createHttpServer()
                .requestHandler(request -> pages.getOrDefault(
                                request.path(),
                                r -> r.response().setStatusCode(404).end())
                        .handle(request))
                .listen(0, "127.0.0.1")
                .await();
        names.put("web.test", List.of("127.0.0.1"));
        names.put("inside.test", List.of("10.0.0.1"));
        fetcher = fetcher(this::lookup);
    }

    private GuardedFetcher fetcher(HostResolver resolver) {
        return new GuardedFetcher(
                vertx,
                new FetchPolicy(false, RobotsPolicy.IGNORE, "switchboard/test"),
                address -> address.getHostAddress().equals("127.0.0.1"),
                resolver,
                Ticker.systemTicker(),
                TeamShare.ALL);
    }

    @AfterEach
    void stop() {
        fetcher.close().await();
        assertEquals(List.of(), OpenTimers.of(vertx), "timers of fetches that are over");
    }

    private List<InetAddress> lookup(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        List<String> known = names.get(host);
        if (known == null) {
            throw new UnknownHostException(host);
        }
        return known.stream().map(InetAddress::ofLiteral).toList();
    }

    @Test
    void aPageComesWithItsTypeAndVersion() {
        List<String> seen = new ArrayList<>();
        pages.put("/p", r -> {
            seen.add(r.getHeader("User-Agent") + " " + r.getHeader("Host") + " " + r.getHeader("Cookie"));
            r.response()
                    .putHeader("Content-Type", "text/html; charset=utf-8")
                    .putHeader("ETag", "\"7\"")
                    .putHeader("Set-Cookie", "a=b")
                    .end("<p>ü</p>");
        });
        FetchResult.Document document = document("/p");
        assertEquals("<p>ü</p>", new String(document.bytes(), StandardCharsets.UTF_8));
        assertEquals("text/html; charset=utf-8", document.contentType());
        assertEquals("\"7\"", document.version().etag());
        assertNull(document.version().lastModified());
        document("/p");
        assertEquals(
                List.of(
                        "switchboard/test web.test:" + server.actualPort() + " null",
                        "switchboard/test web.test:" + server.actualPort() + " null"),
                seen);
    }

    @Test
    void anUnchangedPageIsNotModified() {
        pages.put("/p", r -> {
            boolean known = "\"7\"".equals(r.getHeader("If-None-Match"));
            r.response().setStatusCode(known ? 304 : 200).end();
        });
        FetchResult answer = fetcher.get(
                        WebAddress.parse(url("web.test", "/p")), LIMITS, new HttpValidators("\"7\"", null), _ -> {})
                .await();
        assertTrue(answer instanceof FetchResult.NotModified);
    }

    @Test
    void redirectsAreFollowedAndRelativeOnesResolved() {
        pages.put("/a", r -> redirect(r, "../b?x=1"));
        pages.put("/b", r -> r.response().end(r.query()));
        FetchResult.Document document = document("/a");
        assertEquals("x=1", new String(document.bytes(), StandardCharsets.UTF_8));
        assertEquals("/b", document.uri().getPath());
    }

    @Test
    void endlessRedirectsEnd() {
        pages.put("/a", r -> redirect(r, "/a"));
        assertFails(FetchException.Reason.NETWORK, "more than 3 redirects", "web.test", "/a");
    }

    @Test
    void privateAddressesAreRefusedBeforeAnyConnection() {
        assertFails(
                FetchException.Reason.REFUSED, "not found among the hosts of the public Internet", "inside.test", "/");
    }

    @Test
    void aNameWithOnePrivateAddressAmongOthersIsRefused() {
        names.put("mixed.test", List.of("127.0.0.1", "192.168.0.1"));
        assertFails(FetchException.Reason.REFUSED, "mixed.test", "mixed.test", "/");
    }

    @Test
    void aRedirectToAPrivateAddressIsRefused() {
        pages.put("/a", r -> redirect(r, "http://inside.test:" + server.actualPort() + "/"));
        assertFails(FetchException.Reason.REFUSED, "inside.test", "web.test", "/a");
    }

    @Test
    void aRedirectToAnotherSchemeIsRefused() {
        pages.put("/a", r -> redirect(r, "file:///etc/passwd"));
        assertFails(FetchException.Reason.REFUSED, "other than http or https", "web.test", "/a");
    }

    @Test
    void aRedirectWithCredentialsIsRefused() {
        pages.put("/a", r -> redirect(r, "http://user:secret@web.test/"));
        FetchException e = assertFails(FetchException.Reason.BAD_URL, "user name or password", "web.test", "/a");
        assertTrue(!e.explanation().contains("secret"));
    }

    @Test
    void aDnsAnswerThatChangesAfterTheCheckIsNeverAsked() {
        pages.put("/p", r -> r.response().end("ok"));
        HostResolver changing = host -> {
            List<InetAddress> now = lookup(host);
            names.put(host, List.of("10.0.0.1"));
            return now;
        };
        GuardedFetcher pinned = fetcher(changing);
        FetchResult answer = pinned.get(WebAddress.parse(url("web.test", "/p")), LIMITS, HttpValidators.NONE, _ -> {})
                .await();
        assertTrue(answer instanceof FetchResult.Document);
        assertEquals(1, lookups.get());
        pinned.close().await();
    }

    @Test
    void theNextAddressIsTriedWhenOneDoesNotAnswer() {
        pages.put("/p", r -> r.response().end("ok"));
        names.put("two.test", List.of("127.0.0.2", "127.0.0.1"));
        GuardedFetcher open = new GuardedFetcher(
                vertx, new FetchPolicy(true, RobotsPolicy.IGNORE, "switchboard/test"), this::lookup, TeamShare.ALL);
        FetchResult answer = open.get(WebAddress.parse(url("two.test", "/p")), LIMITS, HttpValidators.NONE, _ -> {})
                .await();
        assertTrue(answer instanceof FetchResult.Document);
        open.close().await();
    }

    @Test
    void errorsOfTheServerAreNamed() {
        assertFails(FetchException.Reason.NOT_FOUND, "HTTP 404 fetching 'http://web.test", "web.test", "/none");
    }

    @ParameterizedTest
    @CsvSource({
        "304, STATUS",
        "399, STATUS",
        "400, NOT_GIVEN",
        "403, NOT_GIVEN",
        "404, NOT_FOUND",
        "410, NOT_FOUND",
        "428, NOT_GIVEN",
        "429, STATUS",
        "451, NOT_GIVEN",
        "499, NOT_GIVEN",
        "500, STATUS",
        "503, STATUS"
    })
    void theStatusTellsWhetherThePageIsMissingRefusedOrLate(int status, FetchException.Reason reason) {
        pages.put("/p", r -> r.response().setStatusCode(status).end("not a page"));
        assertFails(reason, "HTTP " + status + " fetching 'http://web.test", "web.test", "/p");
    }

    @Test
    void aNameInsideAndOneThatNobodyHasAreRefusedAlike() {
        names.put("none.test", List.of());
        long begun = System.nanoTime();
        String inside = refusal("inside.test");
        long between = System.nanoTime();
        for (String name : List.of("nowhere.test", "none.test", "mixed.test")) {
            assertEquals(inside, refusal(name).replace(name, "inside.test"));
        }
        long least = Duration.ofMillis(400).toNanos();
        assertTrue(between - begun >= least, "a name inside is refused at once");
        assertTrue(System.nanoTime() - between >= 3 * least);
        assertFails(FetchException.Reason.REFUSED, "10.0.0.1 is not an address of the public", "10.0.0.1", "/");
    }

    private String refusal(String host) {
        try {
            fetcher.get(WebAddress.parse(url(host, "/")), LIMITS, HttpValidators.NONE, _ -> {})
                    .await();
            throw new AssertionError(host + " was fetched");
        } catch (FetchException e) {
            assertEquals(FetchException.Reason.REFUSED, e.reason());
            return e.explanation();
        }
    }

    @Test
    void aRefusedConnectionIsANetworkError() {
        server.close().await();
        assertFails(FetchException.Reason.NETWORK, "refused or timed out", "web.test", "/");
    }

    @Test
    void aBodyThatSaysItIsTooLargeIsNotRead() {
        pages.put(
                "/p",
                r -> r.response().putHeader("Content-Length", "10000000000").write("x"));
        assertFails(FetchException.Reason.TOO_LARGE, "larger than the limit of 100000 bytes", "web.test", "/p");
    }

    @Test
    void aBodyWithoutEndIsCutOff() {
        pages.put("/p", r -> {
            r.response().setChunked(true);
            pump(r, Buffer.buffer(new byte[10_000]));
        });
        assertFails(FetchException.Reason.TOO_LARGE, "larger than", "web.test", "/p");
    }

    @Test
    void aCompressedBodyCountsAsWhatItBecomes() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
            for (int i = 0; i < 1000; i++) {
                gzip.write(new byte[100_000]);
            }
        }
        pages.put(
                "/bomb",
                r -> r.response().putHeader("Content-Encoding", "gzip").end(Buffer.buffer(bomb.toByteArray())));
        assertTrue(bomb.size() < 100_000);
        assertFails(FetchException.Reason.TOO_LARGE, "larger than", "web.test", "/bomb");
    }

    @Test
    void aCompressedPageIsUnpacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("hello".getBytes(StandardCharsets.UTF_8));
        }
        pages.put(
                "/z", r -> r.response().putHeader("Content-Encoding", "gzip").end(Buffer.buffer(packed.toByteArray())));
        assertEquals("hello", new String(document("/z").bytes(), StandardCharsets.UTF_8));
    }

    @Test
    void aServerThatStallsTimesOut() {
        pages.put("/p", r -> r.response().setChunked(true).write("start"));
        FetchLimits hasty = new FetchLimits(1000, Duration.ofMillis(200), 3);
        FetchException e = assertThrows(FetchException.class, () -> fetcher.get(
                        WebAddress.parse(url("web.test", "/p")), hasty, HttpValidators.NONE, _ -> {})
                .await());
        assertEquals(FetchException.Reason.TIMEOUT, e.reason());
    }

    @Test
    void aBodyShorterThanDeclaredAndAnAnswerThatIsNoHttpAreNetworkErrors() {
        NetServer raw = vertx.createNetServer()
                .connectHandler(socket -> socket.handler(request -> {
                    boolean liar = request.toString(StandardCharsets.US_ASCII).startsWith("GET /liar");
                    socket.write(liar ? "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort" : "220 smtp ready\r\n\r\n")
                            .onComplete(_ -> socket.close());
                }))
                .listen(0, "127.0.0.1")
                .await();
        for (String path : List.of("/liar", "/smtp")) {
            String url = "http://web.test:" + raw.actualPort() + path;
            FetchException e = assertThrows(
                    FetchException.class, () -> fetcher.get(WebAddress.parse(url), LIMITS, HttpValidators.NONE, _ -> {})
                            .await());
            assertEquals(FetchException.Reason.NETWORK, e.reason(), path);
        }
    }

    @Test
    void tooManyAtOnceAreTurnedAwayAndPermitsComeBack() {
        List<HttpServerRequest> held = new ArrayList<>();
        pages.put("/slow", held::add);
        pages.put("/p", r -> r.response().end("ok"));
        FetchLimits hasty = new FetchLimits(1000, Duration.ofSeconds(3), 3);
        List<io.vertx.core.Future<FetchResult>> all = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            all.add(fetcher.get(WebAddress.parse(url("web.test", "/slow")), hasty, HttpValidators.NONE, _ -> {}));
        }
        FetchException e =
                assertThrows(FetchException.class, () -> all.getLast().await());
        assertEquals(FetchException.Reason.OVERLOADED, e.reason());
        io.vertx.core.Future.join(all).otherwiseEmpty().await();
        assertEquals("ok", new String(document("/p").bytes(), StandardCharsets.UTF_8));
    }

    /** Cancelled while names are looked up, while connections open, while answers come: the next fetch works. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100, 200, 400, 700, 1_000, 1_500, 2_500, 4_000, 20_000})
    void aCancelledFetchGivesItsPermitBackAtOnce(long microseconds) {
        pages.put("/stall", r -> r.response().setChunked(true).write("start"));
        pages.put("/p", r -> r.response().end("ok"));
        for (int round = 0; round < 10; round++) {
            List<Runnable> cancellations = new ArrayList<>();
            List<io.vertx.core.Future<FetchResult>> stalled = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                stalled.add(fetcher.get(
                        WebAddress.parse(url("web.test", "/stall")), LIMITS, HttpValidators.NONE, cancellations::add));
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(microseconds));
            cancellations.forEach(Runnable::run);
            for (io.vertx.core.Future<FetchResult> one : stalled) {
                FetchException e = assertThrows(FetchException.class, one::await);
                assertEquals(FetchException.Reason.CANCELLED, e.reason());
            }
            assertEquals("ok", new String(document("/p").bytes(), StandardCharsets.UTF_8));
        }
    }

    private static void pump(HttpServerRequest request, Buffer part) {
        request.response().write(part).onSuccess(_ -> pump(request, part));
    }

    private static void redirect(HttpServerRequest request, String location) {
        request.response().setStatusCode(302).putHeader("Location", location).end("moved");
    }

    private FetchResult.Document document(String path) {
        return (FetchResult.Document)
                fetcher.get(WebAddress.parse(url("web.test", path)), LIMITS, HttpValidators.NONE, _ -> {})
                        .await();
    }

    private String url(String host, String path) {
        return "http://" + host + ":" + server.actualPort() + path;
    }

    private FetchException assertFails(FetchException.Reason reason, String message, String host, String path) {
        FetchException e = assertThrows(FetchException.class, () -> fetcher.get(
                        WebAddress.parse(url(host, path)), LIMITS, HttpValidators.NONE, _ -> {})
                .await());
        assertEquals(reason, e.reason(), e.explanation());
        assertTrue(e.explanation().contains(message), e.explanation());
        return e;
    }
}
