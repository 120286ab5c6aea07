package switchboard.backend.agentroot.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.stream.Stream;
import switchboard.config.DurationText;

/** The times at which a collection is to be updated. Immutable. */
public sealed interface UpdateTimes {
    /** The shortest interval of the configuration: one second. */
    Duration SHORTEST = Duration.ofSeconds(1);

    /** The longest interval: a year. */
    Duration LONGEST = Duration.ofDays(366);

    /** The first time after {@code time}. */
    Instant after(Instant time);

    /** The longest pause between two times, of those that come after {@code time}. */
    Duration pause(Instant time);

    /** A fixed time after each update. */
    record Every(Duration interval) implements UpdateTimes {
        @Override
        public Instant after(Instant time) {
            return time.plus(interval);
        }

        @Override
        public Duration pause(Instant time) {
            return interval;
        }
    }

    /** The times of a cron expression in a time zone. A time that a day does not have, because clocks go forward, is left out. */
    record OfCron(ExecutionTime times, ZoneId zone) implements UpdateTimes {
        /** The times of a week or of some months, so that a weekend is among the pauses. */
        private static final int LOOKED_AT = 8;

        @Override
        public Instant after(Instant time) {
            // Only from one of its times the next one leaves out the second one of an hour that a day has twice.
            ZonedDateTime last =
                    times.lastExecution(time.plusSeconds(1).atZone(zone)).orElseGet(() -> time.atZone(zone));
            return times.nextExecution(last)
                    .orElseThrow(() -> new IllegalStateException("a cron expression without a time was accepted"))
                    .toInstant();
        }

        @Override
        public Duration pause(Instant time) {
            return Stream.iterate(after(time), this::after)
                    .limit(LOOKED_AT)
                    .map(one -> Duration.between(one, after(one)))
                    .reduce(Duration.ZERO, (longest, one) -> longest.compareTo(one) > 0 ? longest : one);
        }
    }

    /**
     * The times that {@code text} names: {@code every} and a duration, or the five fields of a cron expression.
     *
     * @param zone the time zone of a cron expression
     * @throws IllegalArgumentException if it names none, with a sentence that says what to write
     */
    static UpdateTimes of(String text, String zone) {
        return of(text, zone, SHORTEST);
    }

    /** The same with another shortest interval. */
    static UpdateTimes of(String text, String zone, Duration shortest) {
        return text.startsWith("every") ? every(text, shortest) : cron(text, zone(zone));
    }

    private static UpdateTimes every(String text, Duration shortest) {
        String interval = text.substring("every".length()).strip();
        Duration duration;
        try {
            duration = DurationText.parse(interval);
        } catch (IllegalArgumentException | ArithmeticException _) {
            throw new IllegalArgumentException(
                    "update \"" + text + "\" needs a duration after every: write it as every 15m (units s, m, h, d)");
        }
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "update \"" + text + "\" is not from every " + DurationText.of(shortest) + " to every 366d");
        }
        return new Every(duration);
    }

    private static UpdateTimes cron(String text, ZoneId zone) {
        OfCron times;
        try {
            Cron cron = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(text);
            times = new OfCron(ExecutionTime.forCron(cron.validate()), zone);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "update \"" + text
                            + "\" is neither every 15m nor a cron expression of five fields such as 0 3 * * *: "
                            + e.getMessage(),
                    e);
        }
        if (times.times()
                .nextExecution(Clock.systemUTC().instant().atZone(zone))
                .isEmpty()) {
            throw new IllegalArgumentException("update \"" + text + "\" names a day that no year has");
        }
        return times;
    }

    private static ZoneId zone(String zone) {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException _) {
            throw new IllegalArgumentException(
                    "timeZone \"" + zone + "\" is not known: write it as UTC or Europe/Berlin");
        }
    }
}
