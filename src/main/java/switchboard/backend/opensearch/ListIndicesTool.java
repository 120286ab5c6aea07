package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code opensearch_list_indices}. */
record ListIndicesTool(VisibleIndices indices, VisibleCounts counts) implements ToolHandler<ListIndicesTool.Args> {
    record Args(int limit, int offset) {}

    @Override
    public String name() {
        return "opensearch_list_indices";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return indices.all(context).compose(all -> {
            List<VisibleIndices.Entry> page =
                    all.stream().skip(args.offset()).limit(args.limit()).toList();
            return counts.of(page.stream().map(VisibleIndices.Entry::name).toList(), context)
                    .map(counted -> reply(args, all.size(), page, counted));
        });
    }

    private static ToolReply reply(Args args, int total, List<VisibleIndices.Entry> page, Map<String, Long> counted) {
        ObjectNode answer = Json.object();
        ArrayNode entries = answer.putArray("indices");
        for (VisibleIndices.Entry entry : page) {
            entries.addObject()
                    .put("index", entry.name())
                    .put("type", entry.kind().word())
                    .put("documents", counted.get(entry.name()));
        }
        answer.put("offset", args.offset()).put("limit", args.limit()).put("total", total);
        return ToolReply.ok(answer);
    }
}
