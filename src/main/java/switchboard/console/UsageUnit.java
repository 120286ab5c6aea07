package switchboard.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What usage is shown by: hours, days or weeks of UTC. They are numbered from 1970 on. */
public enum UsageUnit {
    /** An hour; those of a week are kept. */
    HOUR(1, 0, 24, 7 * 24),
    /** A day; those of ninety days are kept. */
    DAY(24, 0, 30, 90),
    /** A week that begins on Monday. */
    WEEK(7 * 24, 3 * 24, 13, 12);

    private static final long SECONDS_OF_AN_HOUR = Duration.ofHours(1).toSeconds();

    private final long hours;

    /** 1970 began on a Thursday: the week of it three days before. */
    private final long hoursBefore;

    private final long shown;
    private final long kept;

    UsageUnit(long hours, long hoursBefore, long shown, long kept) {
        this.hours = hours;
        this.hoursBefore = hoursBefore;
        this.shown = shown;
        this.kept = kept;
    }

    /** Its name on the wire. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one with the name {@code word}, if there is one. */
    public static Optional<UsageUnit> of(String word) {
        return Arrays.stream(values()).filter(unit -> unit.word().equals(word)).findFirst();
    }

    /** How many are shown if nobody says. */
    long shown() {
        return shown;
    }

    /** How many are kept besides the one of now. */
    long kept() {
        return kept;
    }

    /** The number of the one that has the hour {@code hour}. */
    long ofHour(long hour) {
        return Math.floorDiv(hour + hoursBefore, hours);
    }

    /** The number of the one that has {@code time}. */
    long of(Instant time) {
        return ofHour(Math.floorDiv(time.getEpochSecond(), SECONDS_OF_AN_HOUR));
    }

    /** The first hour of the one with {@code number}. */
    long firstHour(long number) {
        return number * hours - hoursBefore;
    }

    /** How long one is, in hours. */
    long hours() {
        return hours;
    }

    /** How long before 1970 one of them began, in hours. */
    long hoursBefore() {
        return hoursBefore;
    }

    /**
     * Where what is kept begins, or null.
     *
     * @param firstHour the first hour that is kept, or null
     * @param firstDay the number of the first day that is kept, or null
     */
    @Nullable
    Instant since(@Nullable Long firstHour, @Nullable Long firstDay) {
        if (this == HOUR || firstDay == null) {
            return firstHour == null ? null : HOUR.start(firstHour);
        }
        return DAY.start(firstDay);
    }

    /** When the one with {@code number} begins. */
    Instant start(long number) {
        return Instant.ofEpochSecond(firstHour(number) * SECONDS_OF_AN_HOUR);
    }
}
