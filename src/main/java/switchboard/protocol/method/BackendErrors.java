package switchboard.protocol.method;

import java.util.Optional;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/** Failures of backends outside tool calls, where the protocol has no results with {@code isError}. */
final class BackendErrors {
    private BackendErrors() {}

    /**
     * Empty if the failure only means that something does not exist for this caller.
     *
     * @throws RpcException for any other failure
     */
    static <T> Optional<T> unlessMissing(ToolReply.Failed failed) {
        if (failed.kind() == FailureKind.NOT_FOUND || failed.kind() == FailureKind.DENIED) {
            return Optional.empty();
        }
        throw of(failed);
    }

    /** The JSON-RPC error for a failure. */
    private static RpcException of(ToolReply.Failed failed) {
        RpcError error = failed.kind() == FailureKind.INVALID_ARGUMENT ? RpcError.INVALID_PARAMS : RpcError.INTERNAL;
        return new RpcException(
                error, failed.message(), Json.object().put("kind", failed.kind().name()));
    }
}
