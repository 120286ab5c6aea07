package switchboard.backend.vectordb;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times in the format of mcpvectordb: ISO-8601 in UTC with {@code +00:00}. */
final class Timestamps {
    private static final DateTimeFormatter FORM = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendOffset("+HH:MM", "+00:00")
            .toFormatter();

    private Timestamps() {}

    static String text(Instant instant) {
        return FORM.format(instant.atOffset(ZoneOffset.UTC));
    }

    /** A file's modification time, in seconds, because file systems differ in precision. */
    static String seconds(Instant instant) {
        return text(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /** An ISO-8601 time with an offset. */
    static Optional<Instant> parse(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** The time in an HTTP header (RFC 9110 section 5.6.7). */
    static Optional<Instant> parseHttp(@Nullable String header) {
        try {
            return header == null
                    ? Optional.empty()
                    : Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
