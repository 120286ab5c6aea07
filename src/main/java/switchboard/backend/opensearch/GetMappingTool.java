package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code opensearch_get_mapping}: what the gateway's searches can use of a mapping. */
record GetMappingTool(VisibleIndices indices, Mappings mappings, VisibleCounts counts, QueryVectors vectors)
        implements ToolHandler<GetMappingTool.Args> {
    private static final int MOST_FIELDS = 1_000;

    record Args(String index) {}

    @Override
    public String name() {
        return "opensearch_get_mapping";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        indices.names().check(args.index(), context.caller());
        TeamFilter.check(context.caller());
        return mappings.of(args.index(), context)
                .compose(mapping -> counts.of(List.of(args.index()), context)
                        .map(counted -> reply(args.index(), mapping, counted.get(args.index()), context)))
                .recover(thrown -> indices.suggest(thrown, args.index(), context));
    }

    private ToolReply reply(String index, IndexMapping mapping, @Nullable Long documents, CallContext context) {
        ObjectNode answer = Json.object().put("index", index).put("documents", documents);
        ArrayNode fields = answer.putArray("fields");
        mapping.fields().values().stream().limit(MOST_FIELDS).forEach(field -> fields.add(entry(field)));
        if (mapping.fields().size() > MOST_FIELDS) {
            answer.put("omittedFields", mapping.fields().size() - MOST_FIELDS);
        }
        ArrayNode modes = answer.putArray("modes").add(SearchMode.KEYWORD.word());
        if (vectors.possible(index, mapping, context.caller())) {
            modes.add(SearchMode.VECTOR.word()).add(SearchMode.HYBRID.word());
        }
        return ToolReply.ok(answer);
    }

    private static ObjectNode entry(MappedField field) {
        ObjectNode entry = Json.object()
                .put("field", field.name())
                .put("type", field.type())
                .put("filterable", field.filterable());
        if (field.vector() && field.dimensions() > 0) {
            entry.put("dimensions", field.dimensions());
        }
        if (field.vector() && field.similarity() != null) {
            entry.put("similarity", field.similarity());
        }
        return entry;
    }
}
