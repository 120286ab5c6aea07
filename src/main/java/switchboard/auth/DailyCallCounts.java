package switchboard.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the use of a day's budget. The wall clock says which UTC day it is. A steady clock distinguishes a new day
 * from a wall clock that was set: if it is set forward, a separate day begins, and if it is set back, counting
 * continues with the earlier count. A clock set to a past day continues the count, so that no day's budget is given
 * twice. Not thread-safe.
 */
final class DailyCallCounts {
    /** If the wall clock and the steady clock differ by more than this, the wall clock was set. */
    private static final long TOLERATED_NANOS = Duration.ofMinutes(1).toNanos();
    /** A wall clock that was set back over midnight reaches the same midnight again within this time. */
    private static final long SAME_MIDNIGHT_NANOS = Duration.ofHours(1).toNanos();

    private final Clock clock;
    private final LongSupplier nanos;
    private long lastMillis;
    private long lastNanos;
    private DayPage page;
    private @Nullable PreviousDay left;

    private static final class DayPage {
        private final long day;
        private long calls;
        private long tokens;

        DayPage(long day) {
            this.day = day;
        }

        DayPage as(long otherDay) {
            DayPage same = new DayPage(otherDay);
            same.calls = calls;
            same.tokens = tokens;
            return same;
        }
    }

    /**
     * The day before the wall clock was set.
     *
     * @param goesOn whether the next page continues its count
     * @param to the day that it was set to
     */
    private record PreviousDay(DayPage page, boolean goesOn, long to, long nanos) {
        /** Whether {@code day} is one of those that the clock has skipped when it was set. */
        boolean skipped(long day) {
            return day > page.day && day < to;
        }
    }

    DailyCallCounts(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        this.lastMillis = clock.millis();
        this.lastNanos = nanos.getAsLong();
        this.page = new DayPage(today());
    }

    /** Adds what another process has counted. That of an earlier day is left out; a later day goes on. */
    void add(SavedBudget saved) {
        DayPage today = turned();
        if (saved.day() > today.day) {
            page = today.as(saved.day()); // the clock was set back since; the next look continues the count
            today = page;
        }
        if (saved.day() == today.day) {
            today.calls += Math.max(0, saved.calls());
            today.tokens += Math.max(0, saved.tokens());
        }
    }

    /** The day that is counted, in days since 1970-01-01. */
    long day() {
        return turned().day;
    }

    /** Calls so far today. */
    long calls() {
        return turned().calls;
    }

    /** Tokens so far today. */
    long tokens() {
        return turned().tokens;
    }

    void call() {
        turned().calls++;
    }

    void callTakenBack() {
        DayPage today = turned();
        today.calls = Math.max(0, today.calls - 1);
    }

    void spent(long more) {
        turned().tokens += more;
    }

    /** Milliseconds until the day ends. */
    long millisLeft() {
        return LocalDate.ofEpochDay(today() + 1)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant()
                        .toEpochMilli()
                - clock.millis();
    }

    private DayPage turned() {
        long millis = clock.millis();
        long now = nanos.getAsLong();
        boolean set = Math.abs(Duration.ofMillis(millis - lastMillis).toNanos() - (now - lastNanos)) > TOLERATED_NANOS;
        lastMillis = millis;
        lastNanos = now;
        long today = today();
        if (today != page.day) {
            if (set || today < page.day) {
                calendarSet(today, now);
            } else {
                midnight(today, now);
            }
        }
        return page;
    }

    private void calendarSet(long today, long now) {
        PreviousDay before = left;
        DayPage old = page;
        if (before != null && before.page.day == today) {
            page = before.goesOn ? page.as(today) : before.page;
            left = before.goesOn ? null : new PreviousDay(old, false, today, now);
        } else if (today > old.day || (before != null && before.skipped(today))) {
            page = new DayPage(today);
            left = new PreviousDay(old, false, today, now);
        } else {
            page = old.as(today);
            left = new PreviousDay(old, true, today, now);
        }
    }

    private void midnight(long today, long now) {
        PreviousDay before = left;
        if (before != null && before.page.day == today && now - before.nanos <= SAME_MIDNIGHT_NANOS) {
            page = before.goesOn ? page.as(today) : before.page;
            left = null;
        } else {
            page = new DayPage(today);
        }
    }

    private long today() {
        return Math.floorDiv(clock.millis(), Duration.ofDays(1).toMillis());
    }
}
