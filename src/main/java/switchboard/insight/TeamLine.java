package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Arrays;
import switchboard.call.Json;

/**
 * A line of the log.
 *
 * @param since when the search was answered that it tells of
 * @param line JSON with a line feed at its end; empty if there is nothing to write
 */
record TeamLine(String team, Instant since, byte[] line) {
    private static final byte[] NOTHING = {};

    static TeamLine of(String team, Instant since, JsonNode json) {
        byte[] bytes = Json.bytes(json);
        byte[] line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return new TeamLine(team, since, line);
    }

    /** Nothing to write. */
    static TeamLine none(String team, Instant since) {
        return new TeamLine(team, since, NOTHING);
    }
}
