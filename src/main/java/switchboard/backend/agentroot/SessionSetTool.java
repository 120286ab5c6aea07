package switchboard.backend.agentroot;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code session_set}: keeps a value in a session. */
record SessionSetTool(SearchSessions sessions) implements ToolHandler<SessionSetTool.Args> {
    record Args(String session_id, String key, String value) {}

    /** Component names are those on the wire. */
    record Reply(String session_id, String key, String value) {}

    @Override
    public String name() {
        return "session_set";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.set(args.session_id(), CollectionRegistry.person(context.caller()), args.key(), args.value())
                .map(_ -> ToolReply.ok(new Reply(args.session_id(), args.key(), args.value())));
    }
}
