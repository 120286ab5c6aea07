package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.backend.PromptProvider;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Json;

/** The prompts of a server. Thread-safe. */
final class UpstreamPrompts implements PromptProvider {
    private final KeptCalls upstream;
    private final UpstreamFailures failures;
    private volatile List<ObjectNode> known = List.of();

    UpstreamPrompts(KeptCalls upstream, UpstreamFailures failures) {
        this.upstream = upstream;
        this.failures = failures;
    }

    /** Stores the server's list; returns whether it has changed. */
    boolean learn(List<ObjectNode> listed) {
        boolean changed = !known.equals(listed);
        known = listed;
        return changed;
    }

    @Override
    public Future<BackendReply.Prompts> list(@Nullable String cursor, CallContext context) {
        ListSlice slice = ListSlice.of(known, cursor);
        return Future.succeededFuture(new BackendReply.Prompts(slice.entries(), slice.next()));
    }

    @Override
    public Future<? extends BackendReply> get(String name, Map<String, String> arguments, CallContext context) {
        if (known.stream().noneMatch(prompt -> prompt.path("name").asText().equals(name))) {
            return Future.succeededFuture(new BackendReply.Prompt(null));
        }
        return upstream.run("prompts/get", context, (peer, asked) -> {
                    ObjectNode params = Json.object().put("name", name);
                    ObjectNode given = params.putObject("arguments");
                    arguments.forEach(given::put);
                    UpstreamTools.answers(peer, asked, params);
                    return peer.request(Peer.Request.reading("prompts/get", params), asked)
                            .map(result -> UpstreamTools.incomplete(peer, result)
                                    ? UpstreamTools.needed(result)
                                    : new BackendReply.Prompt(result.deepCopy().without("resultType")));
                })
                .recover(failure -> Future.succeededFuture(failures.of(failure, context)));
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String prompt, String argument, String value, Map<String, String> arguments, CallContext context) {
        boolean ours =
                known.stream().anyMatch(entry -> entry.path("name").asText().equals(prompt));
        ObjectNode ref = Json.object().put("type", "ref/prompt").put("name", prompt);
        return ours ? complete(upstream, ref, argument, value, arguments, context) : Future.succeededFuture(NOTHING);
    }

    static final BackendReply.Completion NOTHING = new BackendReply.Completion(List.of(), 0, false);

    /** The server's suggestions; none if it can't complete. */
    static Future<BackendReply.Completion> complete(
            KeptCalls upstream,
            ObjectNode ref,
            String argument,
            String value,
            Map<String, String> arguments,
            CallContext context) {
        ObjectNode params = Json.object();
        params.set("ref", ref);
        params.putObject("argument").put("name", argument).put("value", value);
        if (!arguments.isEmpty()) {
            ObjectNode given = params.putObject("context").putObject("arguments");
            arguments.forEach(given::put);
        }
        return upstream.<BackendReply.Completion>once(
                        context, peer -> peer.request(Peer.Request.reading("completion/complete", params), context)
                                .map(result -> ListSlice.completion(result.path("completion"))))
                .recover(failure ->
                        failure instanceof RpcFailure ? Future.succeededFuture(NOTHING) : Future.failedFuture(failure));
    }
}
