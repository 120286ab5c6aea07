package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The form of results and errors in one era of MCP. */
public interface ResponseFormat {
    /** Adds the fields to a result that the era requires; returns {@code fields}. */
    ObjectNode stamp(MethodHandler handler, ObjectNode fields);

    /** The JSON-RPC code of an error. */
    int code(RpcError error);

    /** The HTTP status of an error. */
    int status(RpcError error);
}
