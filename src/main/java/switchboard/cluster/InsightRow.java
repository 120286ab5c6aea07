package switchboard.cluster;

import java.time.Instant;
import java.util.UUID;

/**
 * A line of the search log that gateways share.
 *
 * @param id another one for each line; the same if the line is sent again
 * @param asker the id of the key, or the subject of a token
 * @param kind what it tells of
 * @param since when the search was answered that it tells of, by the database's clock
 * @param time what the line itself says
 * @param line JSON
 */
public record InsightRow(UUID id, String team, String asker, String kind, Instant since, Instant time, String line) {
    public InsightRow {
        team = storable(team);
        asker = storable(asker);
    }

    /** A name as a column can have it: PostgreSQL knows no null character. */
    static String storable(String name) {
        return name.replace('\0', '\uFFFD');
    }
}
