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

    /** The same, as part of the call {@code other}. */
    RequestedTool in(RpcCall other) {
        return new RequestedTool(other, published, arguments, timeout);
    }

    /** The same with another time limit. */
    RequestedTool within(Duration longest) {
        return new RequestedTool(call, published, arguments, longest);
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
