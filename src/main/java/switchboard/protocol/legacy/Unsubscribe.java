package switchboard.protocol.legacy;

import io.vertx.core.Future;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code resources/unsubscribe}. */
final class Unsubscribe implements MethodHandler {
    private final Channel channel;

    Unsubscribe(Channel channel) {
        this.channel = channel;
    }

    @Override
    public String method() {
        return "resources/unsubscribe";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String uri = call.requiredText("uri");
        if (channel.session() != null) {
            channel.session().state().unsubscribe(uri);
        }
        return Future.succeededFuture(RpcResult.empty());
    }
}
