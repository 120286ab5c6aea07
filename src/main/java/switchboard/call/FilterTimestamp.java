package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * A time that a filter names in ISO 8601: the same one for every engine, whatever zone it is written in. Engines that keep
 * times as texts compare them as such, and so find those that are written in UTC.
 *
 * @param instant the time; of a date its first moment in UTC
 */
public record FilterTimestamp(Instant instant) {
    private static final int DATE = "2025-01-31".length();
    private static final String MIDNIGHT = "T00:00:00Z";

    /** The one that {@code text} is: a date, or a date and a time, in UTC if it says no zone; empty if it is none. */
    public static Optional<FilterTimestamp> of(String text) {
        if (text.length() < DATE || text.charAt(4) != '-') {
            return Optional.empty();
        }
        try {
            if (text.length() == DATE) {
                return Optional.of(new FilterTimestamp(
                        LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()));
            }
            return Optional.of(
                    switch (DateTimeFormatter.ISO_DATE_TIME.parseBest(
                            text, OffsetDateTime::from, LocalDateTime::from)) {
                        case OffsetDateTime zoned -> new FilterTimestamp(zoned.toInstant());
                        case LocalDateTime plain -> new FilterTimestamp(plain.toInstant(ZoneOffset.UTC));
                        default -> throw new DateTimeException("neither of the two asked for");
                    });
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** {@code value} in UTC if it is a time, otherwise as it is. */
    public static JsonNode inUtc(JsonNode value) {
        Optional<FilterTimestamp> filterTimestamp = value.isTextual() ? of(value.asText()) : Optional.empty();
        return filterTimestamp
                .<JsonNode>map(time -> TextNode.valueOf(time.text()))
                .orElse(value);
    }

    /** With date, time and {@code Z}: of the texts that mean this time the last in their order. */
    public String text() {
        return instant.toString();
    }

    /** As short as may be, a midnight as a date alone: the first in their order. */
    public String brief() {
        String text = text();
        return text.endsWith(MIDNIGHT) ? text.substring(0, DATE) : text;
    }

    /** The forms in which a text may have it that a caller writes as {@code given}. */
    public List<String> forms(String given) {
        return List.of(given, text(), brief()).stream().distinct().toList();
    }
}
