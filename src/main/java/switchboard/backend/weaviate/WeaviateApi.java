package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** Weaviate's REST API: sends requests, records them, and converts refusals to failures. Thread-safe. */
final class WeaviateApi {
    private final UpstreamClient client;
    private final RequestHistory log;
    private final WeaviateErrors errors;

    WeaviateApi(UpstreamClient client, RequestHistory log) {
        this.client = client;
        this.log = log;
        this.errors = new WeaviateErrors(client::scrub);
    }

    /** Any complete answer, of any status. */
    Future<UpstreamResponse> send(UpstreamRequest request, CallContext context) {
        long start = System.nanoTime();
        return client.send(request, context).andThen((response, failure) -> {
            if (failure != null) {
                log.failed(request, System.nanoTime() - start, failure);
            } else {
                log.answered(
                        request,
                        response.status(),
                        System.nanoTime() - start,
                        response.success() ? "" : client.scrub(WeaviateErrors.text(response)));
            }
        });
    }

    /** The JSON of a successful answer; fails for any other. */
    Future<JsonNode> call(UpstreamRequest request, CallContext context) {
        return send(request, context).map(response -> json(response, context));
    }

    /**
     * The JSON in {@code response}.
     *
     * @throws ToolException if it was not successful or holds none
     */
    JsonNode json(UpstreamResponse response, CallContext context) {
        if (!response.success()) {
            throw new ToolException(failure(response, context));
        }
        if (response.body().length() == 0) {
            throw new ToolException(new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            "Weaviate answered " + response.status()
                                    + " without a body: that is how it looks when it crashes on a request. Its log says"
                                    + " more; the same request will most likely crash it again.")
                    .withCode("crash"));
        }
        return response.json();
    }

    /** The definition of {@code collection}; empty if there is no such collection. */
    Future<Optional<JsonNode>> definition(String collection, CallContext context) {
        return send(UpstreamRequest.get("/v1/schema/" + UpstreamRequest.segment(collection)), context)
                .map(response -> response.status() == 404 && response.body().length() == 0
                        ? Optional.empty()
                        : Optional.of(CollectionSchema.definition(json(response, context))));
    }

    /** The failure for an unsuccessful answer. */
    ToolReply.Failed failure(UpstreamResponse response, CallContext context) {
        return errors.of(response, TenantScope.of(context.caller()));
    }

    /** Sends a GraphQL document and returns {@code data.Get.<collection>}; fails if there are errors. */
    Future<JsonNode> get(String collection, ObjectNode document, CallContext context) {
        return call(UpstreamRequest.query("/v1/graphql", document), context).map(answer -> {
            JsonNode problems = answer.path("errors");
            JsonNode rows = answer.path("data").path("Get").path(collection);
            if (problems.isEmpty() && rows.isArray()) {
                return rows;
            }
            throw new ToolException(errors.ofGraphQl(problems, TenantScope.of(context.caller())));
        });
    }

    /** The message of one item of a batch, fit to be shown to the caller. */
    String shown(String message, CallContext context) {
        return errors.shown(message, TenantScope.of(context.caller()));
    }
}
