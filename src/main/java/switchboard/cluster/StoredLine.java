package switchboard.cluster;

import java.time.Instant;

/**
 * A line as the database has it.
 *
 * @param number lines of a team grow by it, in the order in which they were written
 * @param team whose it is
 * @param asker the id of the key, or the subject of a token
 * @param since when the search was answered that it tells of, by the database's clock
 * @param line JSON
 */
public record StoredLine(long number, String team, String asker, Instant since, String line) {}
