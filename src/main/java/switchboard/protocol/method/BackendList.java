package switchboard.protocol.method;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendRequest;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/** A list that several backends make up together: of resources, resource templates or prompts. */
final class BackendList implements MethodHandler {
    private final Backends backends;
    private final Backends.PagedList list;
    private final Backends.FeatureQuery owners;
    private final Function<@Nullable String, BackendRequest> page;

    private BackendList(
            Backends backends,
            Backends.PagedList list,
            Backends.FeatureQuery owners,
            Function<@Nullable String, BackendRequest> page) {
        this.backends = backends;
        this.list = list;
        this.owners = owners;
        this.page = page;
    }

    /** {@code resources/list}, {@code resources/templates/list} and {@code prompts/list}. */
    static List<MethodHandler> all(Backends backends) {
        Backends.FeatureQuery resources = backends.resources();
        return List.of(
                new BackendList(
                        backends,
                        new Backends.PagedList("resources/list", "resources", ResourceNames::listed),
                        resources,
                        BackendRequest.ListResources::new),
                new BackendList(
                        backends,
                        new Backends.PagedList("resources/templates/list", "resourceTemplates", ResourceNames::listed),
                        resources,
                        BackendRequest.ListResourceTemplates::new),
                new BackendList(
                        backends,
                        new Backends.PagedList(
                                "prompts/list", "prompts", new PromptNames(backends.providers())::listed),
                        backends.prompts(),
                        BackendRequest.ListPrompts::new));
    }

    @Override
    public String method() {
        return list.method();
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return backends.page(call, list, owners, page);
    }
}
