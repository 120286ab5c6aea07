package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.session.SessionStore;

/**
 * The ids of the events of a session. If nodes share the session, an id also names the node that has the stream, so that the others know
 * whom to ask, and the request that is answered, so that its end can be reported if that node is gone. A digest of the session's key shows
 * that the id is one of this session.
 *
 * @param session the key of the session
 * @param node this node, or an empty text if sessions are not shared
 */
record EventIds(String session, String node) {
    /** Those of a gateway by itself. */
    static final EventIds ALONE = new EventIds("", "");

    private static final Pattern SHARED =
            Pattern.compile("(\\d{1,18}-\\d{1,18})(\\.([0-9a-f]{12})\\.([A-Za-z0-9_-]{0,64})\\.([A-Za-z0-9_-]{11}))");

    /** Longer request ids are left out. */
    private static final int LONGEST_REQUEST = 48;

    private static final int DIGEST = 11;

    /**
     * A stream of another node.
     *
     * @param request the id of the request that it answers; missing if it was too long
     * @param suffix what follows the position in all ids of the stream
     */
    record Elsewhere(String node, JsonNode request, String suffix) {}

    /**
     * What an id says.
     *
     * @param elsewhere where the stream is, or null if it can only be here
     */
    record EventPlace(ReplayBuffer.EventId event, @Nullable Elsewhere elsewhere) {}

    /** What follows the position in the ids of the stream number {@code stream}, which answers {@code request}. */
    String suffix(long stream, JsonNode request) {
        if (node.isEmpty()) {
            return "";
        }
        byte[] json = Json.bytes(request);
        String encoded = json.length > LONGEST_REQUEST
                ? ""
                : Base64.getUrlEncoder().withoutPadding().encodeToString(json);
        return "." + node + "." + encoded + "." + digest(stream, node, encoded);
    }

    private String digest(long stream, String owner, String request) {
        return SessionStore.key(session + "." + stream + "." + owner + "." + request)
                .substring(0, DIGEST);
    }

    /** Reads an id; empty if it can't be one of this session. */
    Optional<EventPlace> read(String id) {
        Matcher shared = SHARED.matcher(id);
        if (node.isEmpty() || !shared.matches()) {
            return ReplayBuffer.EventId.of(id).map(event -> new EventPlace(event, null));
        }
        return ReplayBuffer.EventId.of(shared.group(1))
                .filter(event -> shared.group(5).equals(digest(event.stream(), shared.group(3), shared.group(4))))
                .map(event -> new EventPlace(
                        event,
                        shared.group(3).equals(node)
                                ? null
                                : new Elsewhere(shared.group(3), request(shared.group(4)), shared.group(2))));
    }

    private static JsonNode request(String encoded) {
        try {
            JsonNode request = Json.parse(Base64.getUrlDecoder().decode(encoded));
            return request.isTextual() || request.isNumber() ? request : MissingNode.getInstance();
        } catch (JsonProcessingException | UncheckedIOException | IllegalArgumentException _) {
            return MissingNode.getInstance();
        }
    }
}
