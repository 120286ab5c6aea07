package switchboard.protocol.modern;

import io.vertx.core.Future;
import switchboard.call.BackendRequest;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** {@code resources/templates/list}: the resource templates of all backends. */
final class ResourceTemplatesList implements MethodHandler {
    private static final Backends.PagedList LIST =
            new Backends.PagedList("resources/templates/list", "resourceTemplates");

    private final Backends backends;

    ResourceTemplatesList(Backends backends) {
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
        return backends.page(call, LIST, backends.providers()::resources, BackendRequest.ListResourceTemplates::new);
    }
}
