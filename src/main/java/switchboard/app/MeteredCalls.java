package switchboard.app;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.call.Verb;
import switchboard.dispatch.CallObserver;
import switchboard.telemetry.BackendMeters;

/**
 * Counts calls of backends by outcome, refused ones included, and measures their duration. Makes a span for each, from
 * sending to the answer, including the wait for a free permit. Searches are {@code retrieval} spans, as in the
 * OpenTelemetry conventions for generative AI.
 *
 * @param meters counts outcomes and durations
 * @param tracing makes the spans
 * @param verbs the verbs of a backend's tool, by its name there; empty for an unknown tool
 */
record MeteredCalls(BackendMeters meters, Tracing tracing, BiFunction<String, String, Set<Verb>> verbs)
        implements CallObserver {
    @Override
    public Observation began(String backendId, BackendRequest request, @Nullable String traceparent) {
        long start = System.nanoTime();
        Tracing.Span span = tracing.begin(Tracing.SpanSide.INTERNAL, traceparent);
        return new Observation() {
            @Override
            public @Nullable String traceparent() {
                return span.traceparent();
            }

            @Override
            public void ended(BackendReply reply) {
                FailureKind error = reply instanceof ToolReply.Failed failed ? failed.kind() : null;
                meters.called(backendId, error, Duration.ofNanos(System.nanoTime() - start), traceparent);
                span.end(() -> facts(backendId, request, error));
            }
        };
    }

    private Tracing.FinishedSpan facts(String backend, BackendRequest request, @Nullable FailureKind error) {
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
                            BackendRequest.RelayTask _,
                            BackendRequest.Complete _,
                            BackendRequest.ListSources _,
                            BackendRequest.ListDocuments _,
                            BackendRequest.ReadDocument _ -> false;
                };
        if (retrieval) {
            attributes.put("gen_ai.operation.name", "retrieval");
            attributes.put("gen_ai.data_source.id", backend);
        }
        return new Tracing.FinishedSpan(
                (retrieval ? "retrieval " : "dispatch ") + backend, attributes, error == null ? null : error.name());
    }
}
