package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.ConflictRetry;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.DocumentDescription;
import switchboard.store.StoredDocument;

/** {@code metadata_add}: adds the caller's metadata to a document. */
record MetadataAddTool(CallerStore store, DocumentAddresses addresses, KeyedSerialExecutor<DocumentWriteKey> writes)
        implements ToolHandler<MetadataAddTool.Args> {
    private static final String VALUES = "Values are texts, numbers, booleans or lists of texts.";

    record Args(String docid, ObjectNode metadata) {}

    /** Component names are those on the wire. */
    record Reply(
            String docid,
            String file,
            int added,
            @Nullable List<String> dropped,
            @Nullable String reason) {}

    @Override
    public String name() {
        return "metadata_add";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return addresses.document(args.docid(), context.caller()).compose(target -> {
            DocumentWriteKey writing = new DocumentWriteKey(target.namespace(), target.source());
            return writes.run(
                    writing,
                    () -> ConflictRetry.run(() -> store.of(context.caller())
                            .find(target.namespace(), target.source())
                            .compose(now -> added(
                                    now.orElseThrow(() -> DocumentAddresses.notFound(args.docid())), args, context))));
        });
    }

    private Future<ToolReply> added(StoredDocument document, Args args, CallContext context) {
        List<String> dropped = new ArrayList<>();
        ObjectNode all = document.metadata().deepCopy();
        ObjectNode user = UserMetadata.merged(UserMetadata.of(document), args.metadata(), dropped);
        if (!dropped.isEmpty() && dropped.size() == args.metadata().size()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "None of the values can be kept (" + String.join(", ", dropped) + "). " + VALUES);
        }
        UserMetadata.attach(all, user);
        String foundBy = WeightedSearchText.words(DocumentMetadata.list(document, "named"), user);
        return store.of(context.caller())
                .describe(
                        document,
                        new DocumentDescription(
                                document.title(),
                                all,
                                document.details().given(),
                                document.details().fromSource(),
                                foundBy))
                .map(changed -> {
                    // It may have been replaced at the same time: then it is there, and found again.
                    StoredDocument now = changed.orElseThrow(DocumentPermissions::changed);
                    return ToolReply.ok(new Reply(
                            Hashes.docid(now.contentHash()),
                            DocumentAddresses.file(now),
                            args.metadata().size() - dropped.size(),
                            dropped.isEmpty() ? null : dropped,
                            dropped.isEmpty() ? null : VALUES));
                });
    }
}
