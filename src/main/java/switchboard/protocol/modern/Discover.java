package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.call.Json;
import switchboard.protocol.Instructions;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;
import switchboard.protocol.ServerDescription;
import switchboard.protocol.TaskExtension;
import switchboard.task.TaskStore;

/** {@code server/discover}: versions, capabilities, instructions. */
final class Discover implements MethodHandler {
    private final ServerDescription server;
    private final Instructions instructions;
    private final TaskStore tasks;

    Discover(ProtocolServices services) {
        this.server = new ServerDescription(services.settings());
        this.instructions = new Instructions(services);
        this.tasks = services.tasks();
    }

    @Override
    public String method() {
        return "server/discover";
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        ObjectNode fields = Json.object();
        fields.putArray("supportedVersions").add(ProtocolVersion.V2026_07_28.text());
        ObjectNode capabilities = server.capabilities(ProtocolVersion.V2026_07_28);
        if (tasks.offered()) {
            TaskExtension.declare(capabilities);
        }
        fields.set("capabilities", capabilities);
        instructions.of(call).ifPresent(text -> fields.put("instructions", text));
        return Future.succeededFuture(new RpcResult.Tree(fields));
    }
}
