package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ResourceProvider;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/** The documents as MCP resources {@code agentroot://collection/path}. */
final class Resources implements ResourceProvider {
    private static final int PAGE = 100;
    private static final int MAX_CHARS = 4_000_000;
    private static final String COLLECTION = "collection";
    private static final String PATH = "path";
    private static final String ANY = DocumentAddresses.SCHEME + "{" + COLLECTION + "}/{+" + PATH + "}";
    private static final String BEHIND = "/{+" + PATH + "}";

    private final CallerStore store;
    private final CollectionRegistry registry;
    private final DocumentAddresses addresses;

    Resources(CallerStore store, CollectionRegistry registry, DocumentAddresses addresses) {
        this.store = store;
        this.registry = registry;
        this.addresses = addresses;
    }

    @Override
    public Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context) {
        int offset = offset(cursor);
        return registry.reading(null, context.caller())
                .compose(namespaces -> store.of(context.caller())
                        .list(new ListRequest(namespaces, new Filter.All(), ListRequest.Order.BY_SOURCE, offset, PAGE)))
                .map(page -> {
                    int next = offset + page.documents().size();
                    return new BackendReply.Resources(
                            page.documents().stream().map(Resources::described).toList(),
                            next < page.total() && next + PAGE <= ListRequest.MAX_REACH ? String.valueOf(next) : null);
                });
    }

    private static int offset(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        if (!cursor.matches("\\d{1,6}") || Integer.parseInt(cursor) + PAGE > ListRequest.MAX_REACH) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "There is no such cursor; list from the start.");
        }
        return Integer.parseInt(cursor);
    }

    private static ObjectNode described(StoredDocument document) {
        ObjectNode one = Json.object()
                .put("uri", DocumentAddresses.uri(document))
                .put("name", DocumentAddresses.file(document))
                .put("title", document.title())
                .put("mimeType", DocumentView.mimeType(document));
        String summary = DocumentMetadata.text(document, "summary");
        if (!summary.isEmpty()) {
            one.put("description", summary);
        }
        if (document.lastModified() != null) {
            one.putObject("annotations").put("lastModified", document.lastModified());
        }
        return one;
    }

    /**
     * A template for all collections, and one for each of the first hundred, which completes paths of that collection.
     */
    @Override
    public Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context) {
        return registry.visible(context.caller()).map(definitions -> {
            List<ObjectNode> templates = new ArrayList<>();
            templates.add(template(ANY, "document", "A document of any collection by its path."));
            definitions.stream()
                    .limit(PAGE)
                    .map(CollectionDefinition::name)
                    .forEach(name -> templates.add(template(
                            DocumentAddresses.uri(name, "") + BEHIND.substring(1),
                            name,
                            "A document of " + name + ".")));
            return new BackendReply.Resources(templates, null);
        });
    }

    private static ObjectNode template(String template, String name, String description) {
        return Json.object().put("uriTemplate", template).put("name", name).put("description", description);
    }

    @Override
    public boolean owns(String uri) {
        return uri.startsWith(DocumentAddresses.SCHEME);
    }

    @Override
    public Optional<String> resource(String uri) {
        String file = DocumentAddresses.normal(uri);
        int slash = file.indexOf('/');
        return Optional.of(slash < 0 ? file : file.substring(0, slash));
    }

    @Override
    public Future<BackendReply.Contents> read(String uri, CallContext context) {
        return addresses
                .byUri(uri, context.caller())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(new BackendReply.Contents(List.of()))
                        : DocumentAddresses.newest(store.of(context.caller()), found.get())
                                .map(text -> new BackendReply.Contents(
                                        text.map(read -> List.of(contents(uri, read.document(), read.text())))
                                                .orElse(List.of()))));
    }

    private static ObjectNode contents(String uri, StoredDocument document, String text) {
        if (text.length() > MAX_CHARS) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The document has " + text.length() + " characters, one answer holds " + MAX_CHARS
                            + ". Read parts of it with the tool get.");
        }
        return Json.object()
                .put("uri", uri)
                .put("mimeType", DocumentView.mimeType(document))
                .put("text", text);
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String template, String argument, String value, CallContext context) {
        return switch (argument) {
            case COLLECTION ->
                registry.visible(context.caller())
                        .map(definitions -> definitions.stream()
                                .map(CollectionDefinition::name)
                                .filter(name -> name.startsWith(value))
                                .toList())
                        .map(names -> completion(names, names.size()));
            case PATH -> paths(template, value, context);
            default -> Future.succeededFuture(completion(List.of(), 0));
        };
    }

    /** Paths that begin with {@code value}, in the template's collection, or in all collections if it names none. */
    private Future<BackendReply.Completion> paths(String template, String value, CallContext context) {
        Filter begins = value.isEmpty()
                ? new Filter.All()
                : new Filter.Between(
                        "source",
                        new Filter.Value.TextValue(value),
                        new Filter.Value.TextValue(value + Character.MAX_VALUE));
        return namespaces(template, context)
                .compose(namespaces -> store.of(context.caller())
                        .list(new ListRequest(namespaces, begins, ListRequest.Order.BY_SOURCE, 0, PAGE)))
                .map(page -> completion(
                        page.documents().stream()
                                .map(StoredDocument::source)
                                .distinct()
                                .toList(),
                        page.total()));
    }

    private Future<List<Namespace>> namespaces(String template, CallContext context) {
        Optional<String> named = Optional.of(template)
                .filter(text -> !text.equals(ANY) && text.endsWith(BEHIND))
                .map(text -> DocumentAddresses.normal(text.substring(0, text.length() - BEHIND.length())));
        return registry.visible(context.caller())
                .map(definitions -> registry.namespaces(
                        definitions.stream()
                                .filter(one -> named.isEmpty() || named.get().equals(one.name()))
                                .toList(),
                        context.caller()));
    }

    private static BackendReply.Completion completion(List<String> values, long total) {
        List<String> shown = values.stream().limit(PAGE).toList();
        boolean more = total > shown.size();
        return new BackendReply.Completion(shown, more ? null : shown.size(), more);
    }
}
