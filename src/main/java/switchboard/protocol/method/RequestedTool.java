package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import switchboard.auth.Budget;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolDescriptor;
import switchboard.protocol.OperationRecorder;
import switchboard.protocol.RpcCall;

/**
 * The tool that a request calls.
 *
 * @param call the request
 * @param published the tool in the caller's view
 * @param arguments the arguments as the caller gave them, without private data; must not be changed
 * @param timeout time limit of the answer
 */
record RequestedTool(RpcCall call, PublishedTool published, ObjectNode arguments, Duration timeout) {
    /** A tool with the time limit that it declares. */
    RequestedTool(RpcCall call, PublishedTool published, ObjectNode arguments) {
        this(call, published, arguments, published.descriptor().limits().timeout());
    }

    /** The same, called by {@code other}. */
    RequestedTool in(RpcCall other) {
        return new RequestedTool(other, published, arguments, timeout);
    }

    /** The same as the work of a task, which may take {@code longest}. */
    RequestedTool asTask(RpcCall work, Duration longest) {
        return new RequestedTool(work, published, arguments, longest);
    }

    String name() {
        return published.name();
    }

    ToolDescriptor descriptor() {
        return published.descriptor();
    }

    String backend() {
        return published.backend();
    }

    OperationRecorder operation() {
        return call.operation();
    }

    /** Maximum size of the result in bytes: the smaller of the tool's and the caller's. */
    int maxResultBytes(Budget budget) {
        return Math.min(descriptor().limits().maxResultBytes(), budget.maxResultBytes(call.principal()));
    }
}
