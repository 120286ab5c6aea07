package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;

/** {@code opensearch_get_mapping}: what the gateway's searches can use of a mapping. */
record GetMappingTool(VisibleIndices indices, Mappings mappings, VisibleCounts counts, SourceEmbedders models)
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
        // A filter that can't be made closes the index, before anything is asked.
        return counts.of(List.of(args.index()), context)
                .compose(counted -> mappings.of(args.index(), context)
                        .map(mapping -> reply(args.index(), mapping, Optional.ofNullable(counted.get(args.index())))))
                .recover(thrown -> indices.suggest(thrown, args.index(), context));
    }

    private ToolReply reply(String index, IndexMapping mapping, Optional<Long> documents) {
        ObjectNode answer = Json.object().put("index", index).put("documents", documents.orElse(null));
        ArrayNode fields = answer.putArray("fields");
        mapping.fields().values().stream().limit(MOST_FIELDS).forEach(field -> fields.add(entry(field)));
        if (mapping.fields().size() > MOST_FIELDS) {
            answer.put("omittedFields", mapping.fields().size() - MOST_FIELDS);
        }
        ArrayNode modes = answer.putArray("modes").add(SearchMode.KEYWORD.word());
        Optional<Embedder> embedder = models.of(index);
        if (embedder.flatMap(found -> mapping.vectorOf(found.dimension())).isPresent()) {
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
