package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The form of results and errors in one era of MCP. */
public interface ResponseFormat {
    /** Adds the fields to a result that the era requires; returns {@code fields}. */
    ObjectNode stamp(MethodHandler handler, ObjectNode fields);

    /** The JSON-RPC code of an error. */
    default int code(RpcError error) {
        return error.code();
    }

    /** The HTTP status of an error. */
    default int status(RpcError error) {
        return error.status();
    }
}
