package switchboard.protocol.legacy;

import io.vertx.core.Future;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code resources/unsubscribe}. */
final class Unsubscribe implements MethodHandler {
    private final ProtocolServices services;
    private final SessionBinding sessionBinding;

    Unsubscribe(ProtocolServices services, SessionBinding sessionBinding) {
        this.services = services;
        this.sessionBinding = sessionBinding;
    }

    @Override
    public String method() {
        return "resources/unsubscribe";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String uri = call.requiredText("uri");
        if (sessionBinding.session() != null) {
            sessionBinding.session().state().unsubscribe(uri);
            services.changes().watching().look();
        }
        return Future.succeededFuture(RpcResult.empty());
    }
}
