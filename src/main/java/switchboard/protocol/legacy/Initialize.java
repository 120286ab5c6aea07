package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import switchboard.call.Json;
import switchboard.protocol.Instructions;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;
import switchboard.protocol.ServerDescription;

/** {@code initialize}: agrees on a revision and starts a session. One instance per request. */
final class Initialize implements MethodHandler {
    private final ServerDescription server;
    private final Instructions instructions;
    private final BiFunction<ProtocolVersion, JsonNode, Future<SessionBinding>> start;

    /** A handshake; {@code start} makes its session. */
    Initialize(ProtocolServices services, BiFunction<ProtocolVersion, JsonNode, Future<SessionBinding>> start) {
        this.server = new ServerDescription(services.settings());
        this.instructions = new Instructions(services);
        this.start = start;
    }

    @Override
    public String method() {
        return "initialize";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return start.apply(
                        ProtocolVersion.negotiated(call.params()), call.params().path("capabilities"))
                .map(binding -> answer(call, binding.version()));
    }

    private RpcResult answer(RpcCall call, ProtocolVersion version) {
        ObjectNode fields = Json.object().put("protocolVersion", version.text());
        fields.set("capabilities", server.capabilities(version));
        fields.set("serverInfo", server.info(version));
        instructions.of(call).ifPresent(text -> fields.put("instructions", text));
        return new RpcResult.Tree(fields);
    }
}
