package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RobotsRulesTest {
    private static final Duration SOON = Duration.ofSeconds(7);

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> asked = new ArrayList<>();
    private final List<FetchLimits> limits = new ArrayList<>();
    private Future<FetchResult> answer = text("User-agent: *\nDisallow: /private\n");

    private RobotsRules rules(String userAgent) {
        return new RobotsRules(
                (uri, within) -> {
                    asked.add(uri.toString());
                    limits.add(within);
                    return answer;
                },
                userAgent,
                nanos::get);
    }

    private static Future<FetchResult> text(String text) {
        return Future.succeededFuture(new FetchResult.Document(
                URI.create("http://a.test/robots.txt"),
                text.getBytes(StandardCharsets.UTF_8),
                null,
                HttpValidators.NONE));
    }

    private static boolean allows(RobotsRules rules, String uri) {
        Future<Void> allowed = rules.allow(URI.create(uri), SOON);
        if (allowed.failed()) {
            FetchException refusal = assertThrows(FetchException.class, allowed::await);
            assertEquals(FetchException.Reason.REFUSED, refusal.reason(), refusal::explanation);
        }
        return allowed.succeeded();
    }

    @Test
    void aSiteIsASchemeAHostAndAPort() {
        RobotsRules rules = rules("Switchboard/1.0");
        for (String page : List.of("http://a.test/x", "http://a.test/y?z", "https://a.test/x", "http://a.test:81/x")) {
            assertEquals(true, allows(rules, page), page);
        }
        assertEquals(
                List.of("http://a.test/robots.txt", "https://a.test/robots.txt", "http://a.test:81/robots.txt"), asked);
    }

    @Test
    void theFileMayHaveTheSizeAndTheRedirectsOfTheStandard() {
        allows(rules("Switchboard/1.0"), "http://a.test/x");
        assertEquals(List.of(new FetchLimits(500 * 1024, SOON, 5)), limits);
    }

    @ParameterizedTest
    @CsvSource({
        "Switchboard/1.0, switchboard",
        "Switchboard/1.0, SwitchBoard",
        "Switchboard (+https://a.example), switchboard",
        "Docs-Reader/2, docs-reader"
    })
    void theNameInTheFileIsThatOfTheUserAgentWithoutItsVersion(String userAgent, String named) {
        answer = text("User-agent: *\nDisallow: /\n\nUser-agent: " + named + "\nDisallow: /private\n");
        RobotsRules rules = rules(userAgent);
        assertEquals(true, allows(rules, "http://a.test/open"));
        assertEquals(false, allows(rules, "http://a.test/private"));
    }

    @Test
    void anotherProgramsRulesDoNotCount() {
        answer = text("User-agent: board\nDisallow: /\n\nUser-agent: *\nAllow: /\n");
        assertEquals(true, allows(rules("Switchboard/1.0"), "http://a.test/x"));
    }

    @Test
    void rulesAreKeptForADayAndNoLonger() {
        RobotsRules rules = rules("Switchboard/1.0");
        allows(rules, "http://a.test/x");
        nanos.addAndGet(Duration.ofDays(1).toNanos() - 1);
        assertEquals(false, allows(rules, "http://a.test/private"));
        assertEquals(1, asked.size());
        nanos.addAndGet(1);
        answer = text("");
        assertEquals(true, allows(rules, "http://a.test/private"));
        assertEquals(2, asked.size());
    }

    @Test
    void pagesThatAreWantedMeanwhileWaitForTheSameAnswer() {
        Promise<FetchResult> later = Promise.promise();
        answer = later.future();
        RobotsRules rules = rules("Switchboard/1.0");
        Future<Void> open = rules.allow(URI.create("http://a.test/open"), SOON);
        Future<Void> closed = rules.allow(URI.create("http://a.test/private"), SOON);
        later.complete(text("User-agent: *\nDisallow: /private\n").await());
        assertEquals(List.of(true, false), List.of(open.succeeded(), closed.succeeded()));
        assertEquals(1, asked.size());
    }

    @ParameterizedTest
    @EnumSource(FetchException.Reason.class)
    void onlyAFileThatIsNotThereAllowsEverything(FetchException.Reason reason) {
        answer = Future.failedFuture(new FetchException(reason, "as it is"));
        RobotsRules rules = rules("Switchboard/1.0");
        Future<Void> allowed = rules.allow(URI.create("http://a.test/x"), SOON);
        boolean missing = reason == FetchException.Reason.NOT_FOUND || reason == FetchException.Reason.NOT_GIVEN;
        assertEquals(missing, allowed.succeeded());
        if (!missing) {
            assertEquals(
                    reason, assertThrows(FetchException.class, allowed::await).reason());
        }
        rules.allow(URI.create("http://a.test/y"), SOON);
        assertEquals(missing ? 1 : 2, asked.size(), "what could not be read is asked for again");
    }

    @Test
    void whateverElseBreaksIsToldAsANetworkFailure() {
        answer = Future.failedFuture(new IllegalStateException("secret detail"));
        Future<Void> allowed = rules("Switchboard/1.0").allow(URI.create("http://a.test/x"), SOON);
        FetchException told = assertThrows(FetchException.class, allowed::await);
        assertEquals(FetchException.Reason.NETWORK, told.reason());
        assertEquals(
                "The site's robots.txt can't be read, and the operator has chosen to obey it (fetch.robots): "
                        + "fetching http://a.test/robots.txt failed",
                told.explanation());
    }
}
