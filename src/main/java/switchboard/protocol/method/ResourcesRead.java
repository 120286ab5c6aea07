package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ResourceRoute;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code resources/read}: the contents of one resource. */
final class ResourcesRead implements MethodHandler {
    private final Backends backends;

    ResourcesRead(Backends backends) {
        this.backends = backends;
    }

    @Override
    public String method() {
        return "resources/read";
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String uri = call.requiredText("uri");
        ResourceRoute route = ResourceRoute.of(call.view(), backends.providers(), uri);
        List<Backends.BackendTarget> owners =
                backends.required(call, new Backends.FeatureQuery(Backends.BackendFeature.RESOURCES, route.backends()));
        return backends.firstItem(
                        call,
                        Backends.alike(owners, new BackendRequest.ReadResource(route.uri())),
                        BackendReply.Contents.class,
                        (backend, contents) -> contents.contents().isEmpty()
                                ? Optional.empty()
                                : Optional.of(result(contents.contents().stream()
                                        .map(content -> ResourceNames.shown(call.view(), backend, content))
                                        .toList())))
                .map(found -> found.orElseThrow(() -> unknown(uri)));
    }

    private static RpcResult result(List<ObjectNode> contents) {
        ObjectNode fields = Json.object();
        fields.putArray("contents").addAll(contents);
        return new RpcResult.Tree(fields);
    }

    private static RpcException unknown(String uri) {
        return new RpcException(
                RpcError.RESOURCE_NOT_FOUND,
                "There is no such resource. resources/list and resources/templates/list name those that exist.",
                Json.object().put("uri", uri));
    }
}
