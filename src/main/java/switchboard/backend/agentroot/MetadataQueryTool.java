package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.DocumentPage;
import switchboard.store.Filter;
import switchboard.store.ListRequest;

/** {@code metadata_query}: the documents whose metadata, added by callers, matches a condition. */
record MetadataQueryTool(CallerStore store, CollectionRegistry registry)
        implements ToolHandler<MetadataQueryTool.Args> {
    record Args(String field, String operator, @Nullable JsonNode value, int limit) {}

    /** Component names are those on the wire. */
    record Reply(int count, long total, List<String> documents, List<String> files) {
        static Reply of(DocumentPage page) {
            return new Reply(
                    page.documents().size(),
                    page.total(),
                    page.documents().stream()
                            .map(document -> Hashes.docid(document.contentHash()))
                            .toList(),
                    page.documents().stream().map(DocumentAddresses::file).toList());
        }
    }

    @Override
    public String name() {
        return "metadata_query";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Optional<String> value =
                Optional.ofNullable(args.value()).filter(node -> !node.isNull()).map(JsonNode::asText);
        Filter filter = UserMetadata.filter(args.field(), args.operator(), value);
        return registry.reading(null, context.caller())
                .compose(namespaces -> store.of(context.caller())
                        .list(new ListRequest(namespaces, filter, ListRequest.Order.BY_SOURCE, 0, args.limit())))
                .map(page -> ToolReply.ok(Reply.of(page)));
    }
}
