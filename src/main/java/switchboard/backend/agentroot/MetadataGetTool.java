package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code metadata_get}: the metadata that callers have added to a document. */
record MetadataGetTool(DocumentAddresses addresses) implements ToolHandler<MetadataGetTool.Args> {
    record Args(String docid) {}

    @Override
    public String name() {
        return "metadata_get";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return addresses.document(args.docid(), context.caller()).map(document -> {
            ObjectNode user = UserMetadata.of(document);
            if (user.isEmpty()) {
                return ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "No metadata found for document: " + args.docid() + ". metadata_add gives it some.");
            }
            return ToolReply.ok((ObjectNode) Json.object()
                    .put("docid", Hashes.docid(document.contentHash()))
                    .put("file", DocumentAddresses.file(document))
                    .set("metadata", UserMetadata.typed(user)));
        });
    }
}
