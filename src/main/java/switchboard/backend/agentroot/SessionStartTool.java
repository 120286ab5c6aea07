package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.time.Duration;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code session_start}: starts a session that remembers searches. */
record SessionStartTool(SearchSessions sessions) implements ToolHandler<SessionStartTool.Args> {
    record Args(int ttl_seconds) {}

    /** Component names are those on the wire. */
    record Reply(String session_id, long ttl_seconds, String expires_at) {}

    @Override
    public String name() {
        return "session_start";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.start(CollectionRegistry.person(context.caller()), Duration.ofSeconds(args.ttl_seconds()))
                .map(session -> ToolReply.ok(new Reply(
                        session.id(),
                        session.ttl().toSeconds(),
                        session.expires().toString())));
    }
}
