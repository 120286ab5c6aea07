package switchboard.auth;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** This gateway's part of a rate that several share. Times are a steady clock's. Not thread-safe. */
final class RateSlice {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double ROUNDING = 1e-6;

    /** Calls of the last period for which a slice is enough: one in so many. */
    private static final int PART_OF_PERIOD = 4;

    private long held; // calls that may be let through
    private double level; // what all gateways had left at the last answer
    private long levelNanos;
    private long elsewhere;
    private boolean known;
    private double debt; // let through without having it, not yet reported
    private @Nullable Alone alone;
    private long before; // calls of the last period
    private long recent;

    /** The part of the rate while the database is away. */
    private static final class Alone {
        private final long had;
        private double perSecond;
        private double most;
        private double left;
        private long nanos;
        private long passed;
        private long reported; // of what was passed

        Alone(double perSecond, double most, long had, double left, long nanos) {
            this.perSecond = perSecond;
            this.most = most;
            this.had = had;
            this.left = left;
            this.nanos = nanos;
        }

        /** The limit, or the number of gateways, may have changed. */
        void limit(double nowPerSecond, double nowMost, long now) {
            refill(now);
            perSecond = nowPerSecond;
            most = nowMost;
            left = Math.min(left, most);
        }

        void refill(long now) {
            left = Math.min(most, left + (now - nanos) / NANOS_PER_SECOND * perSecond);
            nanos = now;
        }

        /** What was let through and is still to be counted: a part that would be refilled by now is not. */
        double debt() {
            return Math.max(0, Math.min(passed - had, most - left));
        }
    }

    /** Lets {@code count} calls through if there are so many. */
    boolean take(int count) {
        if (held < count) {
            return false;
        }
        held -= count;
        recent += count;
        return true;
    }

    /** The last {@code count} calls were refused by another limit. */
    void takeBack(int count) {
        Alone now = alone;
        if (now == null) {
            held += count;
        } else {
            now.left = Math.min(now.most, now.left + count);
            now.passed -= count;
        }
        recent = Math.max(0, recent - count);
    }

    /**
     * After how many milliseconds {@code count} calls can be let through if nobody else lets any through; 0 if the others have to be asked,
     * because they may have what is missing.
     */
    long waitMs(int count, int perSecond, int burst, long now) {
        return known && elsewhere == 0 ? refillMs(count, perSecond, burst, now) : 0;
    }

    /** The same without what other gateways may give back. */
    long refillMs(int count, int perSecond, int burst, long now) {
        double missing = count - held - levelAt(perSecond, burst, now);
        return missing <= ROUNDING ? 0 : (long) Math.ceil(missing * 1000 / perSecond - ROUNDING);
    }

    private double levelAt(int perSecond, int burst, long now) {
        return Math.min(burst - held, level + (now - levelNanos) / NANOS_PER_SECOND * perSecond);
    }

    /** Whether so little is left that more should be asked for before it is used up. */
    boolean low() {
        return target() > 1 && held < target() / 2;
    }

    private long target() {
        return Math.max(before, recent) / PART_OF_PERIOD;
    }

    /** Whether there is something to report. */
    boolean open() {
        return held > 0 || debt > 0 || alone != null;
    }

    /** A second is over; as many calls as in it are expected in the next one. */
    void tick() {
        before = recent;
        recent = 0;
    }

    /** The limit has changed: what was known is no longer so. */
    void forget() {
        known = false;
    }

    /** The lease has ended, and with it what it was for. */
    void expire() {
        held = 0;
    }

    /**
     * Reports, and gives back what is not needed soon.
     *
     * @param limited whether there is a limit
     * @param valid whether the lease lasts
     * @param waiting how many calls wait
     * @param asked whether another gateway needs what this one does not use
     */
    BudgetReport.RateUse report(boolean limited, boolean valid, long waiting, boolean asked, long now) {
        if (!valid) {
            held = 0;
        }
        long target = limited && !asked ? target() : 0;
        long kept = Math.min(held, Math.max(target, waiting));
        long back = held - kept;
        held = kept;
        Alone by = alone;
        if (by != null) {
            by.refill(now);
            by.reported = by.passed;
        }
        double owed = debt + (by == null ? 0 : by.debt());
        long needed = limited ? Math.max(0, waiting - kept) : 0;
        return new BudgetReport.RateUse(kept, back, needed, Math.max(needed, target - kept), owed);
    }

    /** The answer to a report that was made at {@code reported}. */
    void answered(BudgetGrant.RateGrant grant, long reported) {
        held += grant.granted();
        level = grant.level();
        levelNanos = reported;
        elsewhere = grant.elsewhere();
        known = true;
        debt = alone == null ? 0 : Math.max(0, alone.passed - alone.reported);
        alone = null;
    }

    /** The database is away: each of {@code nodes} gateways lets its part through. */
    void standAlone(int perSecond, int burst, int nodes, long now, boolean valid) {
        double most = Math.max(1, burst / nodes);
        double part = Math.max(1, perSecond / nodes);
        Alone by = alone;
        if (by == null) {
            double left = known ? (valid ? held : 0) + Math.max(0, levelAt(perSecond, burst, now)) / nodes : most;
            alone = new Alone(part, most, valid ? held : 0, Math.min(most, left), now);
            held = 0;
        } else {
            by.limit(part, most, now);
        }
    }

    /** Lets {@code count} calls through while the database is away, or says after how many milliseconds it does; 0 if they are let through. */
    long takeAlone(int count, long now) {
        Alone by = alone;
        if (by == null) {
            return 0;
        }
        by.refill(now);
        double enough = Math.min(count, by.most); // a batch may be larger than the part of one gateway
        if (by.left + ROUNDING >= enough) {
            by.left -= count;
            by.passed += count;
            return 0;
        }
        return Math.max(1, (long) Math.ceil((enough - by.left) * 1000 / by.perSecond - ROUNDING));
    }
}
