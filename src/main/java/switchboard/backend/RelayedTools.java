package switchboard.backend;

import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Arguments;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor;

/**
 * The tools of another server. They are known only after it was asked, and may change. The backend announces a change
 * with {@link ListChanges} after it can be read here. Thread-safe.
 */
public interface RelayedTools {
    /** The last known tools, also while the server can't be reached. Names are distinct. */
    List<ToolDescriptor> tools();

    /** Calls a tool. Failures as in {@link ToolHandler#call}. */
    Future<ToolReply> call(String tool, Arguments arguments, CallContext context);

    /** Sends a request about a task that a call has begun; the reply is the server's result. Failures as in {@link #call}. */
    Future<ToolReply> task(BackendRequest.RelayTask request, CallContext context);

    /** The catalog did not accept {@link #tools()} for these reasons, and keeps the previous ones. */
    void refused(List<String> problems);

    /** The catalog has accepted {@link #tools()}. */
    void accepted();
}
