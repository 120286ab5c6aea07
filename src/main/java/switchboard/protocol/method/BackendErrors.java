package switchboard.protocol.method;

import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/** Failures of backends outside tool calls, where the protocol has no results with {@code isError}. */
final class BackendErrors {
    private BackendErrors() {}

    /** Whether the failure only means that something does not exist for this caller. */
    static boolean missing(ToolReply.Failed failed) {
        return failed.kind() == FailureKind.NOT_FOUND || failed.kind() == FailureKind.DENIED;
    }

    /** The JSON-RPC error for a failure. */
    static RpcException of(ToolReply.Failed failed) {
        RpcError error = failed.kind() == FailureKind.INVALID_ARGUMENT ? RpcError.INVALID_PARAMS : RpcError.INTERNAL;
        return new RpcException(
                error, failed.message(), Json.object().put("kind", failed.kind().name()));
    }
}
