package switchboard.protocol.modern;

import io.vertx.core.Future;
import switchboard.call.BackendRequest;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code prompts/list}: the prompts of all backends. */
final class PromptsList implements MethodHandler {
    private static final Backends.PagedList LIST = new Backends.PagedList("prompts/list", "prompts");

    private final Backends backends;

    PromptsList(Backends backends) {
        this.backends = backends;
    }

    @Override
    public String method() {
        return LIST.method();
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return backends.page(call, LIST, backends.providers()::prompts, BackendRequest.ListPrompts::new);
    }
}
