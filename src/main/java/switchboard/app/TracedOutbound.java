package switchboard.app;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.call.Verb;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.protocol.Outbound;

/**
 * A span for each call of a backend: from when it is sent to its answer, with the wait for the backend's own lanes.
 * Searches are retrievals, as the OpenTelemetry conventions for generative AI have them.
 *
 * @param next sends it
 * @param tracing is told
 * @param verbs of a backend's tool, by its name there; empty for a tool that nobody knows
 */
record TracedOutbound(Outbound next, Tracing tracing, BiFunction<String, String, Set<Verb>> verbs) implements Outbound {
    @Override
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        Tracing.Span span = tracing.begin(Tracing.Kind.INTERNAL, options.traceparent());
        return next.send(backendId, request, caller, options.within(span))
                .heardBy(answer -> span.end(() -> facts(backendId, request, answer)));
    }

    private Tracing.Facts facts(String backend, BackendRequest request, BackendReply answer) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("switchboard.backend", backend);
        boolean retrieval =
                switch (request) {
                    case BackendRequest.CallTool(String tool, var _) -> {
                        attributes.put("gen_ai.tool.name", tool);
                        yield verbs.apply(backend, tool).contains(Verb.SEARCH);
                    }
                    case BackendRequest.SearchSource _ -> true;
                    case BackendRequest.ListResources _,
                            BackendRequest.ListResourceTemplates _,
                            BackendRequest.ReadResource _,
                            BackendRequest.ListPrompts _,
                            BackendRequest.GetPrompt _,
                            BackendRequest.Maintain _,
                            BackendRequest.Complete _,
                            BackendRequest.ListSources _,
                            BackendRequest.ReadDocument _ -> false;
                };
        if (retrieval) {
            attributes.put("gen_ai.operation.name", "retrieval");
            attributes.put("gen_ai.data_source.id", backend);
        }
        String error = answer instanceof ToolReply.Failed failed ? failed.kind().name() : null;
        return new Tracing.Facts((retrieval ? "retrieval " : "dispatch ") + backend, attributes, error);
    }
}
