package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.concurrent.TeamShare;

/** {@code robots.txt} of two sites on one loopback server: a site is a host name here. */
@ExtendWith(VertxExtension.class)
class RobotsTest {
    private static final FetchLimits LIMITS = new FetchLimits(100_000, Duration.ofSeconds(20), 3);

    private Vertx vertx;
    private final Map<String, String> rules = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong nanos = new AtomicLong();
    private HttpServer server;
    private GuardedFetcher fetcher;

    @BeforeEach
    void start(Vertx vertx) {
        this.vertx = vertx;
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await();
        fetcher = fetcher(RobotsPolicy.OBEY);
    }

    @AfterEach
    void stop() {
        fetcher.close().await();
    }

    private GuardedFetcher fetcher(RobotsPolicy robots) {
        return new GuardedFetcher(
                vertx,
                new FetchPolicy(true, robots, "Switchboard/1.0"),
                host -> List.of(InetAddress.ofLiteral("127.0.0.1")),
                nanos::get,
                TeamShare.ALL);
    }

    private void answer(HttpServerRequest request) {
        String site = request.authority().host();
        asked.add(site + request.uri());
        if (request.path().equals("/robots.txt")) {
            request.response()
                    .setStatusCode(statuses.getOrDefault(site, rules.containsKey(site) ? 200 : 404))
                    .end(rules.getOrDefault(site, ""));
        } else if (request.path().equals("/to-other")) {
            request.response()
                    .setStatusCode(302)
                    .putHeader("Location", url("other.test", "/private/x"))
                    .end();
        } else {
            request.response().end("page");
        }
    }

    private String url(String host, String path) {
        return "http://" + host + ":" + server.actualPort() + path;
    }

    private Future<FetchResult> get(String host, String path) {
        return fetcher.get(URI.create(url(host, path)), LIMITS, HttpValidators.NONE, _ -> {});
    }

    private FetchException refused(String host, String path) {
        return assertThrows(FetchException.class, () -> get(host, path).await());
    }

    private long files() {
        return asked.stream().filter(path -> path.endsWith("/robots.txt")).count();
    }

    @Test
    void theRulesForThisProgramComeBeforeThoseForAll() {
        rules.put("web.test", """
                User-agent: *
                Disallow: /

                User-agent: switchboard
                Disallow: /private
                Allow: /private/open
                """);
        assertInstanceOf(FetchResult.Document.class, get("web.test", "/a").await());
        assertInstanceOf(
                FetchResult.Document.class, get("web.test", "/private/open").await());
        FetchException e = refused("web.test", "/private/x?y=1");
        assertEquals(FetchException.Reason.REFUSED, e.reason());
        assertTrue(e.explanation().contains("robots.txt") && e.explanation().contains("fetch.robots"), e.explanation());
        assertEquals(List.of("web.test/robots.txt", "web.test/a", "web.test/private/open"), asked);
    }

    @Test
    void theSiteThatARedirectLeadsToIsAskedToo() {
        rules.put("other.test", "User-agent: *\nDisallow: /private\n");
        assertEquals(
                FetchException.Reason.REFUSED, refused("web.test", "/to-other").reason());
        assertEquals(List.of("web.test/robots.txt", "web.test/to-other", "other.test/robots.txt"), asked);
    }

    @Test
    void aSiteWithoutTheFileAllowsEverythingAndOneThatFailsNothingUntilItAnswers() {
        statuses.put("web.test", 403);
        assertInstanceOf(FetchResult.Document.class, get("web.test", "/a").await());
        statuses.put("other.test", 503);
        FetchException e = refused("other.test", "/a");
        assertEquals(FetchException.Reason.STATUS, e.reason());
        assertTrue(e.explanation().contains("can't be read") && e.explanation().contains("503"), e.explanation());
        statuses.remove("other.test");
        assertInstanceOf(FetchResult.Document.class, get("other.test", "/a").await());
    }

    @Test
    void theFileIsAskedForOnceADayHoweverManyPagesAreFetched() {
        rules.put("web.test", "");
        Future.all(IntStream.range(0, 8).mapToObj(i -> get("web.test", "/" + i)).toList())
                .await();
        get("web.test", "/again").await();
        assertEquals(1, files());
        nanos.addAndGet(Duration.ofHours(25).toNanos());
        get("web.test", "/next-day").await();
        assertEquals(2, files());
    }

    @Test
    void aFileWithoutEndIsAnErrorLikeAnyOtherPage() {
        rules.put("web.test", "# long\n".repeat(100_000));
        assertEquals(FetchException.Reason.TOO_LARGE, refused("web.test", "/a").reason());
    }

    @Test
    void whoeverIgnoresThemDoesNotAsk() {
        rules.put("web.test", "User-agent: *\nDisallow: /\n");
        GuardedFetcher browser = fetcher(RobotsPolicy.IGNORE);
        assertInstanceOf(
                FetchResult.Document.class,
                browser.get(URI.create(url("web.test", "/a")), LIMITS, HttpValidators.NONE, _ -> {})
                        .await());
        assertEquals(0, files());
        browser.close().await();
    }
}
