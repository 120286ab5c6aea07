package switchboard.protocol.legacy;

import io.vertx.core.Future;
import java.util.Set;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code resources/subscribe}: changes of the resource are sent on the session's stream. */
final class Subscribe implements MethodHandler {
    private static final int LONGEST_URI = 2048;

    private final ProtocolServices services;
    private final SessionBinding sessionBinding;

    Subscribe(ProtocolServices services, SessionBinding sessionBinding) {
        this.services = services;
        this.sessionBinding = sessionBinding;
    }

    @Override
    public String method() {
        return "resources/subscribe";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String uri = call.requiredText("uri");
        if (uri.length() > LONGEST_URI) {
            throw new RpcException(RpcError.INVALID_PARAMS, "\"uri\" may have at most " + LONGEST_URI + " characters.");
        }
        if (sessionBinding.session() != null
                && !sessionBinding.session().state().subscribe(uri)) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS, "This session has too many subscriptions. Unsubscribe from some.");
        }
        return passOn(call).map(_ -> RpcResult.empty());
    }

    /** Answered after other servers were asked, so that no change after the answer is missed. */
    private Future<Void> passOn(RpcCall call) {
        if (sessionBinding.session() == null) {
            return Future.succeededFuture();
        }
        LegacySession state = sessionBinding.session().state();
        if (!state.canReceive()) {
            services.changes()
                    .watching()
                    .keep(state, state.watcher(call.principal(), call.view().name()));
        }
        return services.changes().watching().lookAndAsk(call.view().name(), Set.of(call.requiredText("uri")));
    }
}
