package switchboard.cluster;

import java.time.Instant;

/**
 * Whose searches are looked for.
 *
 * @param asker the id of the key, or the subject of a token
 * @param from searches after that, by the database's clock
 * @param to searches until then
 */
public record InsightAsker(String team, String asker, Instant from, Instant to) {}
