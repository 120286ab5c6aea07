package switchboard.protocol.method;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code prompts/get}: one prompt, filled in. Of several with the same name in a view, the first
 * backend's counts. */
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
        return backends.first(
                        call,
                        names.asked(
                                call.view(),
                                backends.required(call, backends.prompts()),
                                name,
                                own -> new BackendRequest.GetPrompt(own, arguments)),
                        PromptsGet::prompt)
                .map(found -> found.orElseThrow(() -> new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Unknown prompt \"" + name + "\". prompts/list names those that exist.")));
    }

    private static Optional<RpcResult> prompt(BackendReply reply) {
        return switch (reply) {
            case BackendReply.Prompt prompt ->
                Optional.ofNullable(prompt.result()).map(result -> new RpcResult.Tree(result.deepCopy()));
            case RelayedReply.InputRequired need -> Optional.of(InputRequiredResults.questions(need));
            case RelayedReply.CapabilitiesMissing missing -> throw InputRequiredResults.capabilitiesMissing(missing);
            case ToolReply.Failed failed when BackendErrors.missing(failed) -> Optional.empty();
            case ToolReply.Failed failed -> throw BackendErrors.of(failed);
            case ToolReply.Ok _,
                    RelayedReply.RelayedResult _,
                    BackendReply.Resources _,
                    BackendReply.Prompts _,
                    BackendReply.Contents _,
                    BackendReply.Completion _,
                    BackendReply.Sources _,
                    BackendReply.Passages _,
                    BackendReply.DocumentPart _ ->
                throw new IllegalStateException(
                        "a prompt was answered with " + reply.getClass().getSimpleName());
        };
    }
}
