package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code session_start}, {@code session_get}, {@code session_set} and {@code session_end}. */
final class SessionTools {
    private final Sessions sessions;

    SessionTools(Sessions sessions) {
        this.sessions = sessions;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("session_start", StartArgs.class, this::start),
                new Tool<>("session_get", IdArgs.class, this::get),
                new Tool<>("session_set", SetArgs.class, this::set),
                new Tool<>("session_end", IdArgs.class, this::end));
    }

    record StartArgs(int ttl_seconds) {}

    record IdArgs(String session_id) {}

    record SetArgs(String session_id, String key, String value) {}

    private Future<ToolReply> start(StartArgs args, CallContext context) {
        Sessions.SessionView session =
                sessions.start(CollectionRegistry.person(context.caller()), Duration.ofSeconds(args.ttl_seconds()));
        return Future.succeededFuture(ToolReply.ok(Json.object()
                .put("session_id", session.id())
                .put("ttl_seconds", session.ttl().toSeconds())
                .put("expires_at", session.expires().toString())));
    }

    private Future<ToolReply> get(IdArgs args, CallContext context) {
        Sessions.SessionView session = sessions.get(args.session_id(), CollectionRegistry.person(context.caller()));
        ObjectNode reply = Json.object()
                .put("session_id", session.id())
                .put("created_at", session.created().toString())
                .put("last_active_at", session.lastActive().toString())
                .put("ttl_seconds", session.ttl().toSeconds())
                .put("expires_at", session.expires().toString());
        ObjectNode remembered = reply.putObject("context");
        new TreeMap<>(session.context()).forEach(remembered::put);
        var queries = reply.putArray("queries");
        session.queries().forEach(asked -> queries.addObject()
                .put("query", asked.query())
                .put("result_count", asked.results())
                .put("created_at", asked.at().toString()));
        return Future.succeededFuture(ToolReply.ok(reply.put("seen_count", session.seen())));
    }

    private Future<ToolReply> set(SetArgs args, CallContext context) {
        sessions.set(args.session_id(), CollectionRegistry.person(context.caller()), args.key(), args.value());
        return Future.succeededFuture(ToolReply.ok(Json.object()
                .put("session_id", args.session_id())
                .put("key", args.key())
                .put("value", args.value())));
    }

    private Future<ToolReply> end(IdArgs args, CallContext context) {
        boolean ended = sessions.end(args.session_id(), CollectionRegistry.person(context.caller()));
        ObjectNode reply = Json.object().put("session_id", args.session_id()).put("ended", true);
        return Future.succeededFuture(ToolReply.ok(reply.put("existed", ended)));
    }
}
