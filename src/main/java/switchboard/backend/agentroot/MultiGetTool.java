package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.text.LineIndex;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentText;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/** {@code multi_get}: the documents that names and patterns select. */
record MultiGetTool(CallerStore store, CollectionRegistry registry, DocumentAddresses addresses)
        implements ToolHandler<MultiGetTool.Args> {
    private static final int MAX_FILES = 100;
    private static final String TOO_MANY = "more than " + MAX_FILES + " files; use a narrower pattern";
    private static final int MAX_TEXT = 1_000_000;
    private static final String REMOVED = "was removed while the answer was made";

    record Args(String pattern, @Nullable Integer maxLines, int maxBytes, boolean lineNumbers) {}

    /** The documents that a pattern selects. */
    private static final class Selection {
        private final Map<String, StoredDocument> chosen = new LinkedHashMap<>();
        private final ArrayNode skipped = Json.array();
        private final ArrayNode missing = Json.array();
        private int skippedTotal;
        private int chars;

        void add(StoredDocument document) {
            if (chosen.size() >= MAX_FILES && !chosen.containsKey(document.id())) {
                skip(DocumentAddresses.file(document), TOO_MANY);
            } else {
                chosen.put(document.id(), document);
            }
        }

        void skip(String file, String reason) {
            if (skippedTotal++ < MAX_FILES) {
                skipped.addObject().put("file", file).put("reason", reason);
            }
        }
    }

    @Override
    public String name() {
        return "multi_get";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Selection selection = new Selection();
        return select(args.pattern(), selection, context).compose(_ -> {
            List<ContentBlock> blocks = new ArrayList<>();
            ObjectNode reply = Json.object();
            ArrayNode files = reply.putArray("files");
            ArrayNode whole = Json.array();
            List<StoredDocument> read = new ArrayList<>();
            Future<Void> done = Future.succeededFuture();
            for (StoredDocument document : selection.chosen.values()) {
                done = done.compose(_ -> one(document, args, selection, context))
                        .map(also(text -> text.ifPresent(some -> {
                            blocks.add(DocumentView.resource(some.document(), some.text()));
                            files.add(DocumentView.facts(some.document()));
                            read.add(some.document());
                            whole.add(DocumentView.facts(some.document()).put("text", some.text()));
                        })))
                        .mapEmpty();
            }
            return done.map(_ -> {
                reply.put("count", files.size())
                        .put("skippedTotal", selection.skippedTotal)
                        .set("skipped", selection.skipped);
                reply.set("missing", selection.missing);
                blocks.add(new ContentBlock.TextBlock(Json.text(reply)));
                reply.set("files", whole);
                return new ToolReply.Ok(blocks, reply).giving(context, () -> StoredDocumentsGiven.read(read));
            });
        });
    }

    /** The lines of a document that are wanted; empty if it was removed meanwhile or is too large. */
    private Future<Optional<DocumentText>> one(
            StoredDocument document, Args args, Selection selection, CallContext context) {
        wanted(context);
        return DocumentAddresses.newest(store.of(context.caller()), document).map(read -> {
            if (read.isEmpty()) {
                selection
                        .missing
                        .addObject()
                        .put("file", DocumentAddresses.file(document))
                        .put("reason", REMOVED);
                return Optional.empty();
            }
            DocumentText found = read.get();
            int bytes = found.text().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > args.maxBytes()) {
                selection.skip(
                        DocumentAddresses.file(document),
                        "has " + bytes + " bytes, more than maxBytes " + args.maxBytes() + "; use get");
                return Optional.empty();
            }
            String text =
                    LineRange.of(null, args.maxLines(), args.lineNumbers()).of(new LineIndex(found.text()));
            selection.chars += text.length();
            if (selection.chars > MAX_TEXT) {
                selection.skip(
                        DocumentAddresses.file(document), "one answer holds " + MAX_TEXT + " characters; use get");
                return Optional.empty();
            }
            return Optional.of(new DocumentText(found.document(), text));
        });
    }

    private Future<Void> select(String pattern, Selection selection, CallContext context) {
        // A comma inside a choice such as {a,b} does not part names.
        boolean one = PathGlob.isPattern(pattern) && (!pattern.contains(",") || pattern.contains("{"));
        List<String> globs = new ArrayList<>();
        Future<Void> done = Future.succeededFuture();
        for (String part : one ? new String[] {pattern} : pattern.split(",")) {
            String name = part.strip();
            if (PathGlob.isPattern(name)) {
                globs.add(DocumentAddresses.normal(name));
            } else if (!name.isEmpty()) {
                done = done.compose(_ -> named(name, selection, context));
            }
        }
        // All of them at once: the documents are gone through one time, however many globs there are.
        return globs.isEmpty() ? done : matching(PathGlob.acrossFolders("pattern", globs), selection, context, done);
    }

    private Future<Void> named(String name, Selection selection, CallContext context) {
        wanted(context);
        return addresses
                .content(name, context.caller())
                .map(also(selection::add))
                .<Void>mapEmpty()
                .recover(failure -> {
                    if (failure instanceof ToolException known) {
                        selection
                                .missing
                                .addObject()
                                .put("file", name)
                                .put("reason", known.failed().message());
                        return Future.succeededFuture();
                    }
                    return Future.failedFuture(failure);
                });
    }

    private Future<Void> matching(PathGlob glob, Selection selection, CallContext context, Future<Void> first) {
        return first.compose(_ -> registry.reading(null, context.caller())).compose(namespaces -> {
            Future<Void> done = Future.succeededFuture();
            for (Namespace namespace : namespaces) {
                done = done.compose(_ -> matching(glob, selection, namespace, context));
            }
            return done;
        });
    }

    private Future<Void> matching(PathGlob glob, Selection selection, Namespace namespace, CallContext context) {
        return store.of(context.caller())
                .facts(
                        namespace,
                        Set.of(),
                        Collectors.filtering(
                                document -> {
                                    wanted(context);
                                    return glob.matches(namespace.name() + "/" + document.source())
                                            || glob.matches(document.source());
                                },
                                Collectors.toMap(MetadataRow::source, MetadataRow::id, (one, _) -> one, TreeMap::new)))
                .compose(found -> {
                    found.values().removeAll(selection.chosen.keySet());
                    int room = MAX_FILES - selection.chosen.size();
                    found.keySet().stream()
                            .skip(room)
                            .forEach(path -> selection.skip(namespace.name() + "/" + path, TOO_MANY));
                    List<String> first = found.values().stream().limit(room).toList();
                    return store.of(context.caller())
                            .get(List.of(namespace), first)
                            .map(also(all -> all.forEach(selection::add)))
                            .mapEmpty();
                });
    }

    private static void wanted(CallContext context) {
        if (context.cancelled()) {
            throw new ToolException(FailureKind.CANCELLED, "The call was cancelled.");
        }
    }
}
