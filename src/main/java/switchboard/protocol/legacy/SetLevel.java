package switchboard.protocol.legacy;

import io.vertx.core.Future;
import switchboard.call.LogLevel;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code logging/setLevel}: from now on this session's calls send log messages. Without a session it has no effect. */
final class SetLevel implements MethodHandler {
    private final SessionBinding sessionBinding;

    SetLevel(SessionBinding sessionBinding) {
        this.sessionBinding = sessionBinding;
    }

    @Override
    public String method() {
        return "logging/setLevel";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        LogLevel level = LogLevel.of(call.requiredText("level"))
                .orElseThrow(() ->
                        new RpcException(RpcError.INVALID_PARAMS, "\"level\" must be a log level such as \"info\"."));
        if (sessionBinding.session() != null) {
            sessionBinding.session().state().logLevel(level);
        }
        return Future.succeededFuture(RpcResult.empty());
    }
}
