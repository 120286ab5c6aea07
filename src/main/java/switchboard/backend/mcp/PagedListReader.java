package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * Reads all pages of another server's list. A repeated cursor, or too many entries, is a failure, because a part of a
 * list must not be taken for the whole.
 */
final class PagedListReader {
    private static final int MOST_PAGES = 10_000;

    private final Peer peer;
    private final String method;
    private final String field;
    private final int most;
    private final List<ObjectNode> entries = new ArrayList<>();
    private final Set<String> cursors = new HashSet<>();
    private long ttlMs = Long.MAX_VALUE;

    private PagedListReader(Peer peer, String method, String field, int most) {
        this.peer = peer;
        this.method = method;
        this.field = field;
        this.most = most;
    }

    /**
     * The list.
     *
     * @param ttlMs how long it may be cached; {@code Long.MAX_VALUE} if the server does not say
     */
    record ListedEntries(List<ObjectNode> entries, long ttlMs) {}

    /** All entries of {@code method}, in the field {@code field}; at most {@code most}. */
    static Future<ListedEntries> all(Peer peer, String method, String field, int most, CallContext context) {
        return new PagedListReader(peer, method, field, most).page(Json.object(), context);
    }

    private Future<ListedEntries> page(ObjectNode params, CallContext context) {
        return peer.request(Peer.Request.reading(method, params), context).compose(result -> {
            for (JsonNode entry : result.path(field)) {
                if (entry instanceof ObjectNode object) {
                    entries.add(object);
                }
            }
            if (result.path("ttlMs").isIntegralNumber()) {
                ttlMs = Math.min(ttlMs, result.path("ttlMs").asLong());
            }
            if (entries.size() > most) {
                return refuse("has more than the " + most + " entries that are allowed");
            }
            JsonNode next = result.path("nextCursor");
            if (!next.isTextual()) {
                return Future.succeededFuture(new ListedEntries(List.copyOf(entries), ttlMs));
            }
            if (!cursors.add(next.asText()) || cursors.size() > MOST_PAGES) {
                return refuse("does not end: the server returned the same cursor twice, or too many pages");
            }
            return page(Json.object().put("cursor", next.asText()), context);
        });
    }

    private Future<ListedEntries> refuse(String why) {
        return Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, "its " + method + " " + why));
    }
}
