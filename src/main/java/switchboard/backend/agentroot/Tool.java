package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.function.BiFunction;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/**
 * A tool made from a function.
 *
 * @param name its name
 * @param argsType the record of its arguments
 * @param body the function
 */
record Tool<A extends Record>(String name, Class<A> argsType, BiFunction<A, CallContext, Future<ToolReply>> body)
        implements ToolHandler<A> {
    @Override
    public Future<ToolReply> call(A args, CallContext context) {
        return body.apply(args, context);
    }
}
