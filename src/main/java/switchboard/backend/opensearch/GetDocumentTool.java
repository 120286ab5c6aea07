package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code opensearch_get_document}. */
record GetDocumentTool(VisibleIndices indices, VisibleDocument document) implements ToolHandler<GetDocumentTool.Args> {
    record Args(String index, String id) {}

    @Override
    public String name() {
        return "opensearch_get_document";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        indices.names().check(args.index(), context.caller());
        return document.of(args.index(), args.id(), context)
                .map(source -> reply(args, source, context))
                .recover(thrown -> indices.suggest(thrown, args.index(), context));
    }

    private static ToolReply reply(Args args, ObjectNode source, CallContext context) {
        ObjectNode answer = Json.object().put("index", args.index()).put("id", args.id());
        answer.set("fields", source);
        return ToolReply.ok(answer)
                .giving(
                        context,
                        () -> GivenDocuments.read(List.of(new GivenDocuments.GivenDocument(args.index(), args.id()))));
    }
}
