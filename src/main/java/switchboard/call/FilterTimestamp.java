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
 * A time in a filter in ISO 8601, comparable for every engine whatever its time zone. Engines that store times as
 * texts compare texts, so only times written in UTC are found there.
 *
 * @param instant the time; for a date its start in UTC
 */
public record FilterTimestamp(Instant instant) {
    private static final int DATE = "2025-01-31".length();
    private static final String MIDNIGHT = "T00:00:00Z";

    /** Parses a date, or a date and time, in UTC without a zone; empty if {@code text} is neither. */
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

    /** {@code value} in UTC if it is a time, otherwise unchanged. */
    public static JsonNode inUtc(JsonNode value) {
        Optional<FilterTimestamp> filterTimestamp = value.isTextual() ? of(value.asText()) : Optional.empty();
        return filterTimestamp
                .<JsonNode>map(time -> TextNode.valueOf(time.text()))
                .orElse(value);
    }

    /** With date, time and {@code Z}: the last in text order of all forms of this time. */
    public String text() {
        return instant.toString();
    }

    /** The shortest form, for midnight only the date: the first in text order of all forms. */
    public String brief() {
        String text = text();
        return text.endsWith(MIDNIGHT) ? text.substring(0, DATE) : text;
    }

    /** The forms that a stored text may have if a caller writes {@code given}. */
    public List<String> forms(String given) {
        return List.of(given, text(), brief()).stream().distinct().toList();
    }
}
