package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ResponseFormat;
import switchboard.protocol.RpcError;

/** Leaves results unchanged. Errors have status 200, except 403 and 503, which the transport must see. */
final class LegacyResponseFormat implements ResponseFormat {
    private static final int RESOURCE_NOT_FOUND = -32002;

    @Override
    public ObjectNode stamp(MethodHandler handler, ObjectNode fields) {
        return fields;
    }

    @Override
    public int code(RpcError error) {
        return error == RpcError.RESOURCE_NOT_FOUND ? RESOURCE_NOT_FOUND : error.code();
    }

    @Override
    public int status(RpcError error) {
        return error == RpcError.INSUFFICIENT_SCOPE || error == RpcError.UNAVAILABLE ? error.status() : 200;
    }
}
