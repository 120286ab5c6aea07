package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code meilisearch_list_indexes}. */
record ListIndexesTool(VisibleIndexes directory, DocumentCounts counts) implements ToolHandler<ListIndexesTool.Args> {
    record Args(int limit, int offset) {}

    @Override
    public String name() {
        return "meilisearch_list_indexes";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        return directory.page(args.limit(), args.offset(), teamFilters, context).compose(page -> counts.of(
                        page.uids(), teamFilters, context)
                .map(counted -> reply(args, page, counted)));
    }

    private static ToolReply reply(Args args, VisibleIndexes.IndexPage page, DocumentCounts.Counts counts) {
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode index : page.indexes()) {
            ObjectNode entry = results.addObject();
            entry.set("uid", index.path("uid"));
            entry.set("primaryKey", index.path("primaryKey").isTextual() ? index.path("primaryKey") : null);
            entry.put("numberOfDocuments", counts.byUid().get(index.path("uid").asText()));
            entry.set("createdAt", index.path("createdAt"));
            entry.set("updatedAt", index.path("updatedAt"));
        }
        answer.put("offset", args.offset()).put("limit", args.limit()).put("total", page.total());
        if (counts.unavailable() != null) {
            answer.put("countUnavailable", counts.unavailable());
        }
        if (!page.complete()) {
            answer.put("complete", false);
        }
        return ToolReply.ok(answer);
    }
}
