package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A line of the log.
 *
 * @param id another one for each
 * @param since when the search was answered that it tells of; if that is not known, when the document was read
 * @param line JSON with a line feed at its end; empty if there is nothing to write
 * @param linked when the first of the searches was answered whose ids it has; null if it has none
 * @param unhashed a query of which the line gets a hash when it is written; null if there is none
 * @param read the document that was read, if it is about one
 * @param asked how often nothing has explained a read
 */
record TeamLine(
        UUID id,
        String team,
        Instant since,
        byte[] line,
        @Nullable Instant linked,
        @Nullable String unhashed,
        @Nullable ReadDocument read,
        int asked) {
    private static final byte[] NOTHING = {};

    TeamLine(String team, Instant since, byte[] line) {
        this(UUID.randomUUID(), team, since, line, null, null, null, 0);
    }

    private TeamLine(ReadDocument read, Instant since, byte[] line) {
        this(UUID.randomUUID(), read.caller().team(), since, line, null, null, read, 0);
    }

    static TeamLine of(String team, Instant since, JsonNode json) {
        return new TeamLine(team, since, bytes(json));
    }

    private static byte[] bytes(JsonNode json) {
        byte[] bytes = Json.bytes(json);
        byte[] line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }

    /** What a document is read after, as far as this process knows. */
    static TeamLine of(ReadDocument read, SearchTrail.Use use) {
        return new TeamLine(read, use.searched(), bytes(use.line()));
    }

    /** A read that no search explains as far as this process knows. */
    static TeamLine of(ReadDocument read) {
        return new TeamLine(read, read.time(), NOTHING);
    }

    /** The same, which nothing has explained once more. */
    TeamLine askedAgain() {
        return new TeamLine(id, team, since, line, linked, unhashed, read, asked + 1);
    }

    /** The same, whose links name searches of which the first was answered at {@code time}. */
    TeamLine linking(@Nullable Instant time) {
        return new TeamLine(id, team, since, line, time, unhashed, read, asked);
    }

    /** The same with a hash of {@code query} when it is written. */
    TeamLine hashing(String query) {
        return new TeamLine(id, team, since, line, linked, query, read, asked);
    }

    /** The same with other JSON. */
    TeamLine with(JsonNode json) {
        return new TeamLine(id, team, since, bytes(json), linked, null, read, asked);
    }

    /** Its JSON, with the hash of the query. */
    JsonNode json(QueryHashes hashes) {
        try {
            JsonNode json = Json.parse(line);
            if (unhashed != null && json instanceof ObjectNode search) {
                search.put("query_hash", hashes.of(unhashed));
            }
            return json;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with the hash of the query. */
    TeamLine hashed(QueryHashes hashes) {
        return unhashed == null ? this : with(json(hashes));
    }
}
