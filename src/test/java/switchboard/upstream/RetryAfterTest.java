package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.MultiMap;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an engine wants to be asked again. */
class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final long DAY_MS = 86_400_000;

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "' 7 ', 7000",
        "86400, 86400000",
        "86401, 86400000",
        "999999999, 86400000",
        "9999999999,",
        "-1,",
        "1.5,",
        "soon,",
        "'',",
        "'Thu, 01 Jan 2026 00:01:00 GMT', 60000",
        "'Wed, 31 Dec 2025 23:59:59 GMT', 0",
        "'Fri, 02 Jan 2026 00:00:01 GMT', 86400000",
        "2026-01-01T00:01:00Z,"
    })
    void secondsOrADateUpToADay(String header, Long millis) {
        assertEquals(millis, RetryAfter.millis(header, CLOCK));
    }

    private static Long millis(String after, String remaining, String reset) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        if (after != null) {
            headers.set("Retry-After", after);
        }
        if (remaining != null) {
            headers.set("x-ratelimit-remaining", remaining);
        }
        if (reset != null) {
            headers.set("x-ratelimit-reset", reset);
        }
        return RetryAfter.millis(headers, CLOCK);
    }

    @Test
    void aRateLimitThatIsUsedUpSaysWhenItBeginsAnew() {
        String inAMinute = Long.toString(NOW.getEpochSecond() + 60);
        assertEquals(60_000L, millis(null, "0", inAMinute));
        assertEquals(7_000L, millis("7", "0", inAMinute), "what is said outright comes first");
        assertEquals(null, millis(null, "1", inAMinute));
        assertEquals(null, millis(null, null, inAMinute));
        assertEquals(null, millis(null, "0", null));
        assertEquals(null, millis(null, "0", "soon"));
        assertEquals(60_000L, millis("soon", "0", inAMinute));
        assertEquals(0L, millis(null, "0", Long.toString(NOW.getEpochSecond() - 60)));
        assertEquals(DAY_MS, millis(null, "0", Long.toString(NOW.getEpochSecond() + 100_000)));
    }
}
