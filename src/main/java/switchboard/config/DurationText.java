package switchboard.config;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the configuration writes them: a whole number with one of the units {@code ms s m h d}. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private DurationText() {}

    /**
     * The duration that {@code text} names.
     *
     * @throws IllegalArgumentException if it names none, with the rest of a sentence that begins with the text
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        Duration unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("is not a duration such as 250ms, 60s or 1h (units ms, s, m, h, d)");
        }
        return unit.multipliedBy(Long.parseLong(matcher.group(1)));
    }

    /** A duration of whole milliseconds, in the largest unit that it is a whole number of. */
    public static String of(Duration duration) {
        long ms = duration.toMillis();
        return UNITS.entrySet().stream()
                .filter(unit -> ms % unit.getValue().toMillis() == 0)
                .max(Map.Entry.comparingByValue())
                .map(unit -> ms / unit.getValue().toMillis() + unit.getKey())
                .orElseThrow();
    }
}
