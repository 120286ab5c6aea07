package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** The HTTP requests to Meilisearch. All of them only read. They fail with {@link ToolException}. */
final class MeilisearchApi {
    private final UpstreamClient client;
    private final MeilisearchErrors errors;
    private final Optional<TenantTokens> tokens;

    MeilisearchApi(String backend, UpstreamClient client, Optional<TenantTokens> tokens) {
        this.client = client;
        this.errors = new MeilisearchErrors(backend, client::scrub);
        this.tokens = tokens;
    }

    /** {@code {results, offset, limit, total}}, without document counts. */
    Future<JsonNode> indexes(int limit, int offset, CallContext context) {
        String path = "/indexes?limit=" + limit + "&offset=" + offset;
        return send(ApiAction.of("indexes.get"), UpstreamRequest.get(path), context);
    }

    Future<JsonNode> index(String uid, CallContext context) {
        return send(ApiAction.on(uid, "indexes.get"), UpstreamRequest.get(path(uid, "")), context);
    }

    /** One document, with all its displayed attributes. */
    Future<JsonNode> document(String uid, String id, CallContext context) {
        return send(
                ApiAction.on(uid, "documents.get"),
                UpstreamRequest.get(path(uid, "/documents/" + UpstreamRequest.segment(id))),
                context);
    }

    Future<JsonNode> settings(String uid, CallContext context) {
        return send(ApiAction.on(uid, "settings.get"), UpstreamRequest.get(path(uid, "/settings")), context);
    }

    /** {@code indexes.<uid>.numberOfDocuments} of all indexes the key covers. */
    Future<JsonNode> stats(CallContext context) {
        return send(ApiAction.of("stats.get"), UpstreamRequest.get("/stats"), context);
    }

    /** {@code numberOfDocuments} of one index. */
    Future<JsonNode> stats(String uid, CallContext context) {
        return send(ApiAction.on(uid, "stats.get"), UpstreamRequest.get(path(uid, "/stats")), context);
    }

    /**
     * Whether there is a document {@code id} that matches {@code filter}. It is not fetched, because this route
     * ignores the displayed attributes.
     */
    Future<Boolean> satisfies(String uid, String id, String filter, CallContext context) {
        ObjectNode body = Json.object().put("filter", filter).put("limit", 0);
        body.putArray("ids").add(id);
        return send(
                        ApiAction.on(uid, "documents.get"),
                        UpstreamRequest.query(path(uid, "/documents/fetch"), body),
                        context)
                .map(answer -> answer.path("total").asInt() > 0);
    }

    /** The {@code total} of documents. None is fetched, because this route ignores the displayed attributes. */
    Future<JsonNode> fetchNothing(String uid, CallContext context) {
        ObjectNode body = Json.object().put("limit", 0);
        return send(
                ApiAction.on(uid, "documents.get"),
                UpstreamRequest.query(path(uid, "/documents/fetch"), body),
                context);
    }

    /**
     * A search.
     *
     * @param rules restricts a tenant token for this search, or null to use the key itself
     */
    Future<JsonNode> search(String uid, ObjectNode body, @Nullable ObjectNode rules, CallContext context) {
        UpstreamRequest request = UpstreamRequest.query(path(uid, "/search"), body);
        if (rules != null) {
            if (tokens.isEmpty()) {
                return Future.failedFuture(new ToolException(
                        FailureKind.DENIED,
                        "This team is bound to searchRules, which need a tenant token, but the gateway can't sign one;"
                                + " the operator has to configure apiKey and apiKeyUid"));
            }
            request = request.header("Authorization", "Bearer " + tokens.get().token(rules));
        }
        return send(ApiAction.on(uid, "search"), request, context);
    }

    Future<Void> close() {
        return client.close();
    }

    private static String path(String uid, String rest) {
        return "/indexes/" + UpstreamRequest.segment(uid) + rest;
    }

    private Future<JsonNode> send(ApiAction apiAction, UpstreamRequest request, CallContext context) {
        return client.send(request, context).compose(response -> answer(apiAction, response));
    }

    private Future<JsonNode> answer(ApiAction apiAction, UpstreamResponse response) {
        if (!response.success()) {
            return Future.failedFuture(new ToolException(errors.failure(apiAction, response)));
        }
        return Future.succeededFuture(response.json());
    }
}
