package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ResourceRoute;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** {@code completion/complete}: values for an argument of a prompt or a resource template; none for unknown ones. */
final class CompletionComplete implements MethodHandler {
    private static final int MOST = 100;
    private static final BackendReply.Completion NOTHING = new BackendReply.Completion(List.of(), 0, false);

    private final Backends backends;
    private final PromptNames names;

    CompletionComplete(Backends backends) {
        this.backends = backends;
        this.names = new PromptNames(backends.providers());
    }

    @Override
    public String method() {
        return "completion/complete";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        JsonNode ref = call.params().path("ref");
        JsonNode argument = call.params().path("argument");
        if (!argument.path("name").isTextual() || !argument.path("value").isTextual()) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS, "\"argument\" must be an object with strings \"name\" and \"value\".");
        }
        Map<String, String> context = StringMapReader.of(
                "context.arguments", call.params().path("context").path("arguments"));
        Function<String, BackendRequest> request = own -> new BackendRequest.Complete(
                own, argument.path("name").asText(), argument.path("value").asText(), context);
        String referred = refersTo(ref);
        List<Backends.BackendQuery> asked = ref.path("type").asText().equals("ref/prompt")
                ? names.asked(call.view(), backends.targets(call, backends.prompts()), referred, request)
                : templates(call, referred, request);
        return backends.first(call, asked, (_, reply) -> values(reply)).map(found -> result(found.orElse(NOTHING)));
    }

    private List<Backends.BackendQuery> templates(
            RpcCall call, String template, Function<String, BackendRequest> request) {
        ResourceRoute route = ResourceRoute.of(call.view(), backends.providers(), template);
        List<Backends.BackendTarget> targets =
                backends.targets(call, new Backends.FeatureQuery(Backends.BackendFeature.RESOURCES, route.backends()));
        return Backends.alike(targets, request.apply(route.uri()));
    }

    private static String refersTo(JsonNode ref) {
        JsonNode target =
                switch (ref.path("type").asText()) {
                    case "ref/prompt" -> ref.path("name");
                    case "ref/resource" -> ref.path("uri");
                    default -> Json.object();
                };
        if (!target.isTextual()) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS,
                    "\"ref\" must be {\"type\":\"ref/prompt\",\"name\":...} or {\"type\":\"ref/resource\",\"uri\":...}.");
        }
        return target.asText();
    }

    private static Optional<BackendReply.Completion> values(BackendReply reply) {
        return reply instanceof BackendReply.Completion completion
                        && !completion.values().isEmpty()
                ? Optional.of(completion)
                : Optional.empty();
    }

    private static RpcResult result(BackendReply.Completion found) {
        ObjectNode completion = Json.object();
        ArrayNode values = completion.putArray("values");
        found.values().stream().limit(MOST).forEach(values::add);
        if (found.total() != null) {
            completion.put("total", found.total());
        }
        completion.put("hasMore", found.hasMore() || found.values().size() > MOST);
        ObjectNode fields = Json.object();
        fields.set("completion", completion);
        return new RpcResult.Tree(fields);
    }
}
