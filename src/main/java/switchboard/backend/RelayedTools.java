package switchboard.backend;

import io.vertx.core.Future;
import java.util.List;
import switchboard.call.Arguments;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor;

/**
 * The tools of another server: known only once it was asked, and free to change. The backend announces a change with
 * {@link ListChanges} after it can be read here. Thread-safe.
 */
public interface RelayedTools {
    /** Those known now, also while the server can't be reached; their names are distinct. */
    List<ToolDescriptor> tools();

    /** Calls one; failures as in {@link ToolHandler#call}. */
    Future<ToolReply> call(String tool, Arguments arguments, CallContext context);

    /** The catalog can't take {@link #tools()} as they are, for these reasons, and keeps what it had. */
    void refused(List<String> problems);

    /** The catalog has taken them. */
    void accepted();
}
