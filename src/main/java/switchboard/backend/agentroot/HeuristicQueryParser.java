package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.store.Filter;

/**
 * Understands a few expressions without a model: {@code last hour}, {@code last 3 days}, {@code past 2 weeks}, {@code
 * today}, {@code yesterday}, {@code this week}, {@code since 2026-01-31}; {@code tutorials}, {@code tests}, {@code
 * guides}, {@code reference} of something; {@code rust code}, {@code python files}.
 */
final class HeuristicQueryParser {
    private static final Pattern SPAN = Pattern.compile(
            "(?i)\\b(?:(?:from|in|within|during|of)\\s+)?(?:the\\s+)?(?:last|past)\\s+(\\d{1,4}\\s+)?(minute|hour|day|week|month|year)s?\\b");
    private static final Pattern DAY = Pattern.compile(
            "(?i)\\b(?:(?:from|since|of|modified|changed)\\s+)?(today|yesterday|this week|this month)\\b");
    private static final Pattern SINCE = Pattern.compile("(?i)\\b(?:since|after)\\s+(\\d{4}-\\d{2}-\\d{2})\\b");
    private static final Pattern KIND = Pattern.compile(
            "(?i)\\b(tutorial|guide|test|reference)s?\\s+(?:about|for|on|of)\\b|\\b(?:only|show)\\s+(tutorial|guide|test)s\\b");
    private static final Pattern LANGUAGE = Pattern.compile(
            "(?i)\\b(rust|python|javascript|typescript|go|java|c|cpp)\\s+(?:code|files?|functions?|classes)\\b");
    private static final Pattern FILLER = Pattern.compile(
            "(?i)^\\s*(?:show me|find me|find|list|give me|search for|get)\\b|\\b(?:files?|documents?|docs)\\s*$");

    private final Clock clock;

    HeuristicQueryParser(Clock clock) {
        this.clock = clock;
    }

    /** The remaining words to search for, and the conditions for results. */
    record ParsedRequest(String words, List<Filter> filters, Map<String, String> facts) {
        ObjectNode json() {
            ObjectNode json = Json.object().put("words", words);
            facts.forEach(json::put);
            return json;
        }
    }

    /** The interpretation of {@code typed}. */
    ParsedRequest of(String typed) {
        List<Filter> filters = new ArrayList<>();
        Map<String, String> facts = new LinkedHashMap<>();
        String rest = typed;
        Optional<TimeRange> since = since(rest);
        if (since.isPresent()) {
            rest = since.get().rest();
            facts.put("since", since.get().from().toString());
            filters.add(DocumentMetadata.modifiedSince(since.get().from()));
            if (since.get().until() != null) {
                facts.put("until", since.get().until().toString());
                filters.add(new Filter.Not(
                        DocumentMetadata.modifiedSince(since.get().until())));
            }
        }
        rest = fact(rest, KIND, "category", filters, facts);
        rest = fact(rest, LANGUAGE, "language", filters, facts);
        if (!facts.isEmpty()) {
            rest = FILLER.matcher(rest).replaceAll(" ");
        }
        return new ParsedRequest(rest.strip().replaceAll("\\s+", " "), filters, facts);
    }

    private record TimeRange(Instant from, @Nullable Instant until, String rest) {}

    private Optional<TimeRange> since(String text) {
        Instant now = clock.instant();
        Instant day = now.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).toInstant();
        Matcher span = SPAN.matcher(text);
        if (span.find()) {
            long count =
                    span.group(1) == null ? 1 : Long.parseLong(span.group(1).strip());
            return Optional.of(
                    new TimeRange(now.minus(unit(span.group(2)).multipliedBy(count)), null, without(text, span)));
        }
        Matcher named = DAY.matcher(text);
        if (named.find()) {
            return Optional.of(
                    switch (named.group(1).toLowerCase(Locale.ROOT)) {
                        case "today" -> new TimeRange(day, null, without(text, named));
                        case "yesterday" -> new TimeRange(day.minus(1, ChronoUnit.DAYS), day, without(text, named));
                        case "this week" -> new TimeRange(day.minus(6, ChronoUnit.DAYS), null, without(text, named));
                        default -> new TimeRange(day.minus(30, ChronoUnit.DAYS), null, without(text, named));
                    });
        }
        Matcher date = SINCE.matcher(text);
        return date.find()
                ? UserMetadata.time(date.group(1)).map(from -> new TimeRange(from, null, without(text, date)))
                : Optional.empty();
    }

    private static Duration unit(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "minute" -> Duration.ofMinutes(1);
            case "hour" -> Duration.ofHours(1);
            case "day" -> Duration.ofDays(1);
            case "week" -> Duration.ofDays(7);
            case "month" -> Duration.ofDays(30);
            default -> Duration.ofDays(365);
        };
    }

    private static String fact(
            String text, Pattern pattern, String name, List<Filter> filters, Map<String, String> facts) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            return text;
        }
        String value = Optional.ofNullable(matcher.group(1))
                .orElseGet(() -> matcher.group(2))
                .toLowerCase(Locale.ROOT);
        filters.add(DocumentMetadata.equal(name, value));
        facts.put(name, value);
        return without(text, matcher);
    }

    private static String without(String text, Matcher found) {
        return text.substring(0, found.start()) + " " + text.substring(found.end());
    }
}
