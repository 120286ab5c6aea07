package switchboard.backend.agentroot;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code session_end}: ends a session. */
record SessionEndTool(SearchSessions sessions) implements ToolHandler<SessionEndTool.Args> {
    record Args(String session_id) {}

    /** Component names are those on the wire. */
    record Reply(String session_id, boolean ended, boolean existed) {}

    @Override
    public String name() {
        return "session_end";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.end(args.session_id(), CollectionRegistry.person(context.caller()))
                .map(existed -> ToolReply.ok(new Reply(args.session_id(), true, existed)));
    }
}
