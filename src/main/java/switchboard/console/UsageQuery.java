package switchboard.console;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.UsageRow;
import switchboard.cluster.UsageSpan;

/**
 * A question about usage.
 *
 * @param by what it is shown by
 * @param from the first time of it, or null for the usual one
 * @param to the time before which it ends, or null for now
 * @param team the team, or empty for all that one may see
 * @param tool the tool, or empty for all
 */
public record UsageQuery(
        UsageUnit by, @Nullable Instant from, @Nullable Instant to, String team, String tool) {

    /**
     * Hours, days or weeks that follow each other; none if the last is before the first.
     *
     * @param first the number of the first one
     * @param last the number of the last one
     */
    record Range(UsageUnit by, long first, long last) {
        Instant start() {
            return by.start(first);
        }

        /** The first hour of it. */
        long startHour() {
            return by.firstHour(first);
        }

        /** The hour after it. */
        long endHour() {
            return by.firstHour(Math.max(first, last + 1));
        }

        /** Whether what {@code row} has counted is of it. */
        boolean has(UsageRow row) {
            return (by != UsageUnit.HOUR || row.unit().equals(UsageRow.HOUR))
                    && startHour() <= row.hour()
                    && row.hour() < endHour();
        }

        UsageSpan span() {
            return new UsageSpan(by.word(), by.hours(), by.hoursBefore(), startHour(), endHour());
        }

        Instant end() {
            return by.start(Math.max(first, last + 1));
        }
    }

    /** What is asked for and may be kept, at the time {@code now}. */
    Range range(Instant now) {
        long current = by.of(now);
        long last = to == null ? current : Math.min(current, by.of(to.minusNanos(1)));
        long first = from == null ? last - by.shown() + 1 : by.of(from);
        return new Range(by, Math.max(first, current - by.kept()), last);
    }

    boolean wants(UsageKey key) {
        return (team.isEmpty() || team.equals(key.team())) && (tool.isEmpty() || tool.equals(key.tool()));
    }
}
