package switchboard.backend;

import io.vertx.core.Future;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/**
 * The code behind one tool.
 *
 * @param <A> the arguments: a record whose components are exactly the properties of the tool's {@code inputSchema};
 *     optional ones without a default are {@code @Nullable}
 */
public interface ToolHandler<A extends Record> {
    /** The tool's name in {@code tools.json}. */
    String name();

    /** The record of the arguments. */
    Class<A> argsType();

    /**
     * Runs the tool on an event loop; must not block it.
     *
     * <p>Expected failures are {@link ToolReply.Failed} values or a future failed with {@link
     * switchboard.call.ToolException}; anything else counts as a defect and is shown as a correlation id only.
     *
     * @param args valid against the schema, defaults filled in
     */
    Future<ToolReply> call(A args, CallContext context);
}
