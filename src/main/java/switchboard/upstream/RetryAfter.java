package switchboard.upstream;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} of RFC 9110, section 10.2.3: seconds, or a date. */
final class RetryAfter {
    /** Maximum; longer times are ignored. */
    private static final long MOST_SECONDS = 86_400;

    private RetryAfter() {}

    /**
     * Milliseconds until an engine wants to be asked again, as the {@code headers} of its answer say: what {@code Retry-After} says, else, once {@code
     * X-RateLimit-Remaining} is 0, the moment in {@code X-RateLimit-Reset} (seconds since 1970, as GitHub sends it).
     */
    static @Nullable Long millis(MultiMap headers, Clock clock) {
        Long said = millis(headers.get(HttpHeaders.RETRY_AFTER), clock);
        String reset = headers.get("X-RateLimit-Reset");
        boolean usedUp = "0".equals(headers.get("X-RateLimit-Remaining"));
        return said != null || !usedUp || reset == null || !reset.matches("\\d{1,12}")
                ? said
                : Long.valueOf(Math.clamp(Long.parseLong(reset) * 1000 - clock.millis(), 0, MOST_SECONDS * 1000));
    }

    /** Milliseconds from now, never negative; null if the header is missing or not valid. */
    static @Nullable Long millis(@Nullable String header, Clock clock) {
        if (header == null) {
            return null;
        }
        String text = header.strip();
        if (text.matches("\\d{1,9}")) {
            return Math.min(Long.parseLong(text), MOST_SECONDS) * 1000;
        }
        try {
            long until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
            return Math.clamp(until - clock.millis(), 0, MOST_SECONDS * 1000);
        } catch (DateTimeException _) {
            return null;
        }
    }
}
