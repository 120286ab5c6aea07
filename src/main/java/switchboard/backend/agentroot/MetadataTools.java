package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.DocumentStore;
import switchboard.store.ListRequest;
import switchboard.store.StoredDocument;

/** {@code metadata_add}, {@code metadata_get} and {@code metadata_query}. */
final class MetadataTools {
    private static final String VALUES = "Values are texts, numbers, booleans or lists of texts.";

    private final Supplier<DocumentStore> store;
    private final CollectionRegistry registry;
    private final DocumentAddresses addresses;
    private final KeyedSerialExecutor<DocumentWrite> writes;

    MetadataTools(
            Supplier<DocumentStore> store,
            CollectionRegistry registry,
            DocumentAddresses addresses,
            KeyedSerialExecutor<DocumentWrite> writes) {
        this.store = store;
        this.registry = registry;
        this.addresses = addresses;
        this.writes = writes;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("metadata_add", AddArgs.class, this::add),
                new Tool<>("metadata_get", MetadataGetArgs.class, this::get),
                new Tool<>("metadata_query", QueryArgs.class, this::query));
    }

    record AddArgs(String docid, ObjectNode metadata) {}

    record MetadataGetArgs(String docid) {}

    record QueryArgs(
            String field, String operator, @Nullable JsonNode value, int limit) {}

    private Future<ToolReply> add(AddArgs args, CallContext context) {
        return addresses.document(args.docid(), context.caller()).compose(target -> {
            DocumentWrite writing = new DocumentWrite(target.namespace(), target.source());
            return writes.run(writing, () -> store.get()
                    .find(target.namespace(), target.source())
                    .compose(now -> added(now.orElseThrow(() -> DocumentAddresses.notFound(args.docid())), args)));
        });
    }

    private Future<ToolReply> added(StoredDocument document, AddArgs args) {
        List<String> dropped = new ArrayList<>();
        ObjectNode all = document.metadata().deepCopy();
        ObjectNode user = UserMetadata.merged(UserMetadata.of(document), args.metadata(), dropped);
        if (!dropped.isEmpty() && dropped.size() == args.metadata().size()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "None of the values can be kept (" + String.join(", ", dropped) + "). " + VALUES);
        }
        UserMetadata.attach(all, user);
        String foundBy = SearchTextWeights.words(document.title(), DocumentMetadata.list(document, "named"), user);
        return store.get()
                .describe(List.of(document.namespace()), document.id(), document.title(), all, foundBy)
                .map(changed -> {
                    StoredDocument now = changed.orElseThrow(() -> DocumentAddresses.notFound(args.docid()));
                    ObjectNode reply = Json.object()
                            .put("docid", Hashes.docid(now.contentHash()))
                            .put("file", DocumentAddresses.file(now))
                            .put("added", args.metadata().size() - dropped.size());
                    if (!dropped.isEmpty()) {
                        ArrayNode names = reply.putArray("dropped");
                        dropped.forEach(names::add);
                        reply.put("reason", VALUES);
                    }
                    return ToolReply.ok(reply);
                });
    }

    private Future<ToolReply> get(MetadataGetArgs args, CallContext context) {
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

    private Future<ToolReply> query(QueryArgs args, CallContext context) {
        Optional<String> value =
                Optional.ofNullable(args.value()).filter(node -> !node.isNull()).map(JsonNode::asText);
        var filter = UserMetadata.filter(args.field(), args.operator(), value);
        return registry.reading(null, context.caller())
                .compose(namespaces -> store.get()
                        .list(new ListRequest(namespaces, filter, ListRequest.Order.BY_SOURCE, 0, args.limit())))
                .map(page -> {
                    ObjectNode reply =
                            Json.object().put("count", page.documents().size()).put("total", page.total());
                    ArrayNode docids = reply.putArray("documents");
                    ArrayNode files = reply.putArray("files");
                    page.documents().forEach(document -> {
                        docids.add(Hashes.docid(document.contentHash()));
                        files.add(DocumentAddresses.file(document));
                    });
                    return ToolReply.ok(reply);
                });
    }
}
