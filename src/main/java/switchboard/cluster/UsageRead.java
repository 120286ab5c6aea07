package switchboard.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts of all gateways at one moment.
 *
 * @param written the number of the newest batch that is in it, by run
 * @param firstHour the first hour of which something is kept by the hour, or null
 * @param firstDay the first hour of the first day of which something is kept by the day, or null
 */
public record UsageRead(
        List<UsageRow> rows,
        Map<String, Long> written,
        @Nullable Long firstHour,
        @Nullable Long firstDay) {
    public UsageRead {
        rows = List.copyOf(rows);
        written = Map.copyOf(written);
    }

    /** Whether {@code batch} is in it. */
    public boolean has(UsageBatch batch) {
        return written.getOrDefault(batch.run(), 0L) >= batch.number();
    }
}
