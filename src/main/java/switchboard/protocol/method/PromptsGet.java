package switchboard.protocol.method;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code prompts/get}: one prompt, filled in. Of several with the same name in a view, the first backend's counts. */
final class PromptsGet implements MethodHandler {
    private final Backends backends;
    private final PromptNames names;

    PromptsGet(Backends backends) {
        this.backends = backends;
        this.names = new PromptNames(backends.providers());
    }

    @Override
    public String method() {
        return "prompts/get";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        String name = call.requiredText("name");
        Map<String, String> arguments =
                StringMapReader.of("arguments", call.params().path("arguments"));
        return backends.firstItem(
                        call,
                        names.asked(
                                call.view(),
                                backends.required(call, backends.prompts()),
                                name,
                                own -> new BackendRequest.GetPrompt(own, arguments)),
                        BackendReply.Prompt.class,
                        (backend, prompt) -> Optional.ofNullable(prompt.result())
                                .map(result -> new RpcResult.Tree(
                                        ResourceNames.shown(call.view(), backend, result.deepCopy()))))
                .map(found -> found.orElseThrow(() -> new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Unknown prompt \"" + name + "\". prompts/list names those that exist.")));
    }
}
