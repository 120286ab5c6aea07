package switchboard.auth;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long the slices of one account hold, by a steady clock. Not thread-safe. */
final class SliceTimes {
    /** How long a slice is this gateway's own: shorter than in the database, so that it ends here first. */
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** How long everything goes back at once after another gateway has asked for it. */
    private static final long ASKED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What was counted longer ago than this is decided. */
    private static final long DECIDED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanos;
    private @Nullable Long day;
    private long dayEnd;
    private long reported;
    private @Nullable Long leased; // when the report was made that was answered last
    private @Nullable Long askedAt;
    private @Nullable Long turned; // when another day began

    SliceTimes(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The UTC day that is counted, or null if it is not known yet. */
    @Nullable
    Long day() {
        return day;
    }

    /** When the last report was made. */
    long reported() {
        return reported;
    }

    /** A report is made. */
    void report() {
        reported = nanos.getAsLong();
    }

    /** The last report was answered; returns whether another day than the one before is counted now. */
    boolean answered(long today, long millisLeft) {
        boolean another = day != null && day != today;
        turned = another ? Long.valueOf(nanos.getAsLong()) : turned;
        day = today;
        dayEnd = reported + TimeUnit.MILLISECONDS.toNanos(millisLeft);
        leased = reported;
        return another;
    }

    /** The day is {@code today} while the database is away; returns whether another one was counted before. */
    boolean turn(long today) {
        boolean another = day != null && today > day;
        turned = another ? Long.valueOf(nanos.getAsLong()) : turned;
        if (day == null || another) {
            day = today;
        }
        return another;
    }

    /** Another gateway needs what this one does not use. */
    void ask() {
        askedAt = nanos.getAsLong();
    }

    boolean leaseLasts() {
        return leased != null && nanos.getAsLong() - leased < LEASE_NANOS;
    }

    boolean dayLasts() {
        return day != null && nanos.getAsLong() - dayEnd < 0;
    }

    /** Whether a slice of the day may be used: others may have used up the day while this process stood still. */
    boolean daySliceLasts() {
        return dayLasts() && leaseLasts();
    }

    /** Whether what is not decided yet may have been counted on the day before. */
    boolean turnedLately() {
        return turned != null && nanos.getAsLong() - turned < DECIDED_NANOS;
    }

    boolean recentlyAnswered() {
        return leased != null && nanos.getAsLong() - leased < TimeUnit.MILLISECONDS.toNanos(SharedBudgets.PERIOD_MS);
    }

    boolean asked() {
        return askedAt != null && nanos.getAsLong() - askedAt < ASKED_NANOS;
    }
}
