package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.text.LineIndex;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/** {@code get} and {@code multi_get}. */
final class DocumentTools {
    private static final int MAX_FILES = 100;
    private static final String TOO_MANY = "more than " + MAX_FILES + " files; use a narrower pattern";
    private static final int MAX_TEXT = 1_000_000;
    private static final int MAX_CHARS = 4_000_000;

    private final Supplier<DocumentStore> store;
    private final CollectionRegistry registry;
    private final DocumentAddresses addresses;

    DocumentTools(Supplier<DocumentStore> store, CollectionRegistry registry, DocumentAddresses addresses) {
        this.store = store;
        this.registry = registry;
        this.addresses = addresses;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("get", DocumentGetArgs.class, this::get),
                new Tool<>("multi_get", MultiArgs.class, this::multiGet));
    }

    record DocumentGetArgs(
            String file,
            @Nullable Integer fromLine,
            @Nullable Integer maxLines,
            boolean lineNumbers) {}

    record MultiArgs(String pattern, @Nullable Integer maxLines, int maxBytes, boolean lineNumbers) {}

    /** The lines of a document to return, and their format. */
    private record Cut(int from, int count, boolean numbers) {
        static Cut of(@Nullable Integer from, @Nullable Integer count, boolean numbers) {
            return new Cut(from == null ? 1 : from, count == null ? Integer.MAX_VALUE : count, numbers);
        }

        String of(LineIndex lines) {
            String slice = lines.slice(from, count);
            if (!numbers) {
                return slice;
            }
            StringBuilder numbered = new StringBuilder();
            int line = from;
            for (String one : slice.split("(?<=\n)", -1)) {
                if (!one.isEmpty()) {
                    numbered.append(line++).append(": ").append(one);
                }
            }
            return numbered.toString();
        }
    }

    private Future<ToolReply> get(DocumentGetArgs args, CallContext context) {
        Cut cut = Cut.of(args.fromLine(), args.maxLines(), args.lineNumbers());
        return addresses
                .content(args.file(), context.caller())
                .compose(this::read)
                .map(found -> {
                    LineIndex lines = new LineIndex(found.text());
                    String text = cut.of(lines);
                    if (text.length() > MAX_CHARS) {
                        throw new ToolException(
                                FailureKind.INVALID_ARGUMENT,
                                "The document has " + lines.count() + " lines with "
                                        + found.text().length()
                                        + " characters; one answer holds " + MAX_CHARS
                                        + ". Ask for parts with fromLine and maxLines.");
                    }
                    ObjectNode facts = facts(found.document()).put("totalLines", lines.count());
                    ContentBlock described = new ContentBlock.TextBlock(Json.text(facts));
                    return new ToolReply.Ok(
                            List.of(resource(found.document(), text), described), facts.put("text", text));
                });
    }

    private Future<DocumentText> read(StoredDocument document) {
        return store.get()
                .read(List.of(document.namespace()), document.id())
                .map(found -> found.orElseThrow(() -> DocumentAddresses.notFound(DocumentAddresses.file(document))));
    }

    private static ObjectNode facts(StoredDocument document) {
        return Json.object()
                .put("docid", Hashes.docid(document.contentHash()))
                .put("file", DocumentAddresses.file(document))
                .put("title", document.title())
                .put("uri", DocumentAddresses.uri(document))
                .put("mimeType", mimeType(document));
    }

    private static ContentBlock resource(StoredDocument document, String text) {
        return new ContentBlock.EmbeddedResource(
                DocumentAddresses.uri(document),
                DocumentAddresses.file(document),
                document.title(),
                mimeType(document),
                text);
    }

    static String mimeType(StoredDocument document) {
        return document.fileType().equals("md") ? "text/markdown" : "text/plain";
    }

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

    private Future<ToolReply> multiGet(MultiArgs args, CallContext context) {
        Selection selection = new Selection();
        return select(args.pattern(), selection, context).compose(_ -> {
            List<ContentBlock> blocks = new ArrayList<>();
            ObjectNode reply = Json.object();
            ArrayNode files = reply.putArray("files");
            ArrayNode whole = Json.array();
            Future<Void> done = Future.succeededFuture();
            for (StoredDocument document : selection.chosen.values()) {
                done = done.compose(_ -> one(document, args, selection, context))
                        .map(also(text -> text.ifPresent(some -> {
                            blocks.add(resource(document, some));
                            files.add(facts(document));
                            whole.add(facts(document).put("text", some));
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
                return new ToolReply.Ok(blocks, reply);
            });
        });
    }

    private Future<Optional<String>> one(
            StoredDocument document, MultiArgs args, Selection selection, CallContext context) {
        wanted(context);
        return read(document).map(found -> {
            int bytes = found.text().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
            if (bytes > args.maxBytes()) {
                selection.skip(
                        DocumentAddresses.file(document),
                        "has " + bytes + " bytes, more than maxBytes " + args.maxBytes() + "; use get");
                return Optional.empty();
            }
            String text = Cut.of(null, args.maxLines(), args.lineNumbers()).of(new LineIndex(found.text()));
            selection.chars += text.length();
            if (selection.chars > MAX_TEXT) {
                selection.skip(
                        DocumentAddresses.file(document), "one answer holds " + MAX_TEXT + " characters; use get");
                return Optional.empty();
            }
            return Optional.of(text);
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
        return store.get()
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
                    return store.get()
                            .get(List.of(namespace), first)
                            .map(also(all -> all.forEach(selection::add)))
                            .mapEmpty();
                });
    }

    private static void wanted(CallContext context) {
        if (context.cancelled()) {
            throw new ToolException(FailureKind.CANCELLED, "The answer is not wanted any more.");
        }
    }
}
