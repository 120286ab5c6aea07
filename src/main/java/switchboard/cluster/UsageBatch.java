package switchboard.cluster;

import java.util.List;

/**
 * Counts that are added together, and once, however often they are sent.
 *
 * @param run who has counted: another one after each start of a gateway
 * @param number its number among those of the run, from 1 on; they are sent in this order
 */
public record UsageBatch(String run, long number, List<UsageRow> rows) {
    public UsageBatch {
        rows = List.copyOf(rows);
    }
}
