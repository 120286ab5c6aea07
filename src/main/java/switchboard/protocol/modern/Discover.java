package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.call.Json;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;
import switchboard.protocol.ServerDescription;

/** {@code server/discover}: versions, capabilities, instructions. */
final class Discover implements MethodHandler {
    private final ProtocolSettings settings;
    private final ServerDescription server;

    Discover(ProtocolServices services) {
        this.settings = services.settings();
        this.server = new ServerDescription(settings);
    }

    @Override
    public String method() {
        return "server/discover";
    }

    @Override
    public Caching caching() {
        return Caching.PUBLIC;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        ObjectNode fields = Json.object();
        fields.putArray("supportedVersions").add(ProtocolVersion.V2026_07_28.text());
        fields.set("capabilities", server.capabilities(ProtocolVersion.V2026_07_28));
        if (settings.instructions() != null) {
            fields.put("instructions", settings.instructions());
        }
        return Future.succeededFuture(new RpcResult.Tree(fields));
    }
}
