package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code session_get}: the values and the searches of a session. */
record SessionGetTool(SearchSessions sessions) implements ToolHandler<SessionGetTool.Args> {
    record Args(String session_id) {}

    /** Component names are those on the wire. */
    record Reply(
            String session_id,
            String created_at,
            String last_active_at,
            long ttl_seconds,
            String expires_at,
            SortedMap<String, String> context,
            List<QueryItem> queries,
            int seen_count) {
        static Reply of(Sessions.SessionView session) {
            return new Reply(
                    session.id(),
                    session.created().toString(),
                    session.lastActive().toString(),
                    session.ttl().toSeconds(),
                    session.expires().toString(),
                    new TreeMap<>(session.context()),
                    session.queries().stream().map(QueryItem::of).toList(),
                    session.seen());
        }
    }

    /** A search that the session remembers; component names are those on the wire. */
    record QueryItem(String query, int result_count, String created_at) {
        static QueryItem of(Sessions.PastSearch search) {
            return new QueryItem(search.query(), search.results(), search.at().toString());
        }
    }

    @Override
    public String name() {
        return "session_get";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.get(args.session_id(), CollectionRegistry.person(context.caller()))
                .map(session -> ToolReply.ok(Reply.of(session)));
    }
}
