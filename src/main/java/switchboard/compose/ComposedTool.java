package switchboard.compose;

import io.vertx.core.Future;
import java.util.function.Consumer;
import switchboard.call.ToolReply;
import switchboard.dispatch.PendingCall;

/**
 * A tool made of what other backends offer.
 *
 * @param <A> the record its arguments are bound to; components are the schema's properties
 */
interface ComposedTool<A extends Record> {
    /** Its name in {@code backends/switchboard/tools.json}. */
    String name();

    /** The class of its arguments. */
    Class<A> argsType();

    /**
     * Runs it. Expected failures are {@code ToolReply.Failed} or {@code ToolException}.
     *
     * @param pending is given each call under way, to take it back
     */
    Future<ToolReply> call(A arguments, Asker asker, Consumer<PendingCall> pending);
}
