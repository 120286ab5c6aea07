package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * {@code meilisearch_get_index_info}. Returns a fixed list of fields: embedders contain URLs, headers and parts of
 * keys, and unknown fields of later engines stay hidden, too.
 */
record GetIndexInfoTool(MeilisearchApi meilisearchApi, VisibleIndexes directory, DocumentCounts counts)
        implements ToolHandler<GetIndexInfoTool.Args> {
    record Args(String indexUid) {}

    @Override
    public String name() {
        return "meilisearch_get_index_info";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        String uid = args.indexUid();
        VisibleIndexes.check(uid, teamFilters);
        Future<JsonNode> index = meilisearchApi.index(uid, context);
        Future<JsonNode> settings = meilisearchApi.settings(uid, context);
        Future<DocumentCounts.Counts> count = counts.of(uid, teamFilters, context);
        // join, not all: nothing goes on in the engine once the caller has its answer.
        return Future.join(index, settings, count)
                .map(_ -> reply(index.result(), settings.result(), count.result()))
                .recover(thrown -> thrown instanceof ToolException failure
                        ? directory.suggest(failure.failed(), uid, teamFilters, context)
                        : Future.failedFuture(thrown));
    }

    private static ToolReply reply(JsonNode index, JsonNode settings, DocumentCounts.Counts counts) {
        ObjectNode answer = Json.object();
        String uid = index.path("uid").asText();
        answer.put("uid", uid);
        answer.set("primaryKey", index.path("primaryKey").isTextual() ? index.path("primaryKey") : null);
        answer.put("numberOfDocuments", counts.byUid().get(uid));
        for (String attributes : List.of("searchableAttributes", "filterableAttributes", "sortableAttributes")) {
            answer.set(attributes, settings.path(attributes).isArray() ? settings.path(attributes) : Json.array());
        }
        ObjectNode embedders = answer.putObject("embedders");
        for (Map.Entry<String, JsonNode> embedder : settings.path("embedders").properties()) {
            ObjectNode shown = embedders.putObject(embedder.getKey());
            shown.put("source", embedder.getValue().path("source").asText());
            shown.put("quantized", embedder.getValue().path("binaryQuantized").asBoolean());
            if (embedder.getValue().path("dimensions").isIntegralNumber()) {
                shown.set("dimensions", embedder.getValue().path("dimensions"));
            }
        }
        JsonNode most = settings.path("pagination").path("maxTotalHits");
        if (most.isIntegralNumber()) {
            answer.set("maxTotalHits", most);
        }
        if (counts.unavailable() != null) {
            answer.put("countUnavailable", counts.unavailable());
        }
        return ToolReply.ok(answer);
    }
}
