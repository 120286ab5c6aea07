package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.ToolReply;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code prompts/get}: one prompt, filled in. Of several with the same name, the first backend's counts. */
final class PromptsGet implements MethodHandler {
    private final Backends backends;

    PromptsGet(Backends backends) {
        this.backends = backends;
    }

    @Override
    public String method() {
        return "prompts/get";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String name = call.requiredText("name");
        Map<String, String> arguments = TextMap.of("arguments", call.params().path("arguments"));
        return backends.first(
                        call,
                        backends.required(call, backends.providers()::prompts),
                        new BackendRequest.GetPrompt(name, arguments),
                        PromptsGet::prompt)
                .map(found -> new RpcResult.Tree(found.orElseThrow(() -> new RpcException(
                                RpcError.INVALID_PARAMS,
                                "Unknown prompt \"" + name + "\". prompts/list names those that exist."))
                        .deepCopy()));
    }

    private static Optional<ObjectNode> prompt(BackendReply reply) {
        return switch (reply) {
            case BackendReply.Prompt prompt -> Optional.ofNullable(prompt.result());
            case ToolReply.Failed failed when BackendErrors.missing(failed) -> Optional.empty();
            case ToolReply.Failed failed -> throw BackendErrors.of(failed);
            case ToolReply.Ok _,
                    BackendReply.Resources _,
                    BackendReply.Prompts _,
                    BackendReply.Contents _,
                    BackendReply.Completion _ ->
                throw new IllegalStateException(
                        "a prompt was answered with " + reply.getClass().getSimpleName());
        };
    }
}
