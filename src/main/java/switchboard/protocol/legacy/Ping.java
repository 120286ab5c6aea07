package switchboard.protocol.legacy;

import io.vertx.core.Future;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code ping}. */
final class Ping implements MethodHandler {
    @Override
    public String method() {
        return "ping";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return Future.succeededFuture(RpcResult.empty());
    }
}
