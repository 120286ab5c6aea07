package switchboard.insight;

import java.time.Instant;

/**
 * A line of the log.
 *
 * @param since when the search was answered that it tells of
 * @param line JSON with a line feed at its end; empty if there is nothing to write
 */
record TeamLine(String team, Instant since, byte[] line) {}
