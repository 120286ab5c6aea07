package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/**
 * Names of documents: {@code collection/path}, a path alone, {@code #} with at least six digits of the content's
 * SHA-256, or {@code agentroot://collection/path}.
 */
final class DocumentAddresses {
    static final String SCHEME = "agentroot://";

    private static final Pattern DOCID = Pattern.compile("#?([0-9a-fA-F]{6,64})");
    private static final int MAX_MATCHES = 20;

    /** So often a document is looked for that is replaced again and again. */
    private static final int READS = 5;

    private final CallerStore store;
    private final CollectionRegistry registry;

    DocumentAddresses(CallerStore store, CollectionRegistry registry) {
        this.store = store;
        this.registry = registry;
    }

    /** {@code collection/path} of a document. */
    static String file(StoredDocument document) {
        return document.namespace().name() + "/" + document.source();
    }

    /** The URI of a document. */
    static String uri(StoredDocument document) {
        return uri(document.namespace().name(), document.source());
    }

    /** The URI of a path in a collection. */
    static String uri(String collection, String path) {
        return SCHEME + escaped(collection) + "/" + escaped(path);
    }

    private static String escaped(String text) {
        try {
            return new URI(null, null, "/" + text, null).toASCIIString().substring(1);
        } catch (URISyntaxException e) {
            return text;
        }
    }

    /** A URI, or something meant as one, as {@code collection/path}, with dots and double slashes resolved. */
    static String normal(String address) {
        String given = address.strip();
        if (given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            given = unescaped(given.substring(SCHEME.length()));
        }
        List<String> parts = new ArrayList<>();
        for (String part : given.split("/")) {
            if (part.equals("..") && !parts.isEmpty()) {
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                parts.add(part);
            }
        }
        return String.join("/", parts);
    }

    private static String unescaped(String path) {
        try {
            String decoded = new URI("x:/" + path).getPath();
            return decoded == null ? path : decoded;
        } catch (URISyntaxException _) {
            return path;
        }
    }

    /** All documents of that address that the caller may see, by path; their contents may be the same. */
    Future<List<StoredDocument>> all(String address, Caller caller) {
        var docid = DOCID.matcher(address.strip());
        return registry.visible(caller).compose(definitions -> {
            List<Namespace> namespaces = registry.namespaces(definitions, caller);
            if (!docid.matches()) {
                return byPath(normal(address), namespaces, caller);
            }
            return byHash(docid.group(1).toLowerCase(Locale.ROOT), namespaces, caller)
                    .compose(found -> found.isEmpty() && !address.contains("#")
                            ? byPath(normal(address), namespaces, caller)
                            : Future.succeededFuture(found));
        });
    }

    /** The document that a URI names in full; nothing is guessed. */
    Future<Optional<StoredDocument>> byUri(String uri, Caller caller) {
        String file = normal(uri);
        int slash = file.indexOf('/');
        return registry.visible(caller).compose(definitions -> {
            Optional<Namespace> namespace = slash < 0 || !uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                    ? Optional.empty()
                    : named(file.substring(0, slash), registry.namespaces(definitions, caller));
            return namespace.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : store.of(caller).find(namespace.get(), file.substring(slash + 1));
        });
    }

    /** The collection of that name; otherwise one that differs only in case. */
    private static Optional<Namespace> named(String name, List<Namespace> namespaces) {
        return namespaces.stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst()
                .or(() -> namespaces.stream()
                        .filter(namespace -> namespace.name().equalsIgnoreCase(name))
                        .findFirst());
    }

    private Future<List<StoredDocument>> byHash(String digits, List<Namespace> namespaces, Caller caller) {
        // Every digit sorts before "g".
        return listed(
                namespaces,
                new Filter.Between(
                        "content_hash", new Filter.Value.TextValue(digits), new Filter.Value.TextValue(digits + "g")),
                caller);
    }

    private Future<List<StoredDocument>> byPath(String path, List<Namespace> namespaces, Caller caller) {
        int slash = path.indexOf('/');
        String first = slash < 0 ? "" : path.substring(0, slash);
        Optional<Namespace> named = named(first, namespaces);
        if (path.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        Future<List<StoredDocument>> inNamed = named.isEmpty()
                ? Future.succeededFuture(List.of())
                : store.of(caller).find(named.get(), path.substring(slash + 1)).map(found -> found.map(List::of)
                        .orElse(List.of()));
        return inNamed.compose(found -> found.isEmpty()
                ? listed(namespaces, Filter.equal("source", path), caller)
                : Future.succeededFuture(found));
    }

    private Future<List<StoredDocument>> listed(List<Namespace> namespaces, Filter filter, Caller caller) {
        return store.of(caller)
                .list(new ListRequest(namespaces, filter, ListRequest.Order.BY_SOURCE, 0, MAX_MATCHES))
                .map(page -> page.documents());
    }

    /** A document with that content hash; fails if there is none, or if the hash matches several contents. */
    Future<StoredDocument> content(String address, Caller caller) {
        return all(address, caller).map(found -> {
            boolean same =
                    found.stream().map(StoredDocument::contentHash).distinct().count() == 1;
            return same ? found.getFirst() : one(address, found);
        });
    }

    /** The document with that address; fails if there is none or more than one. */
    Future<StoredDocument> document(String address, Caller caller) {
        return all(address, caller).map(found -> one(address, found));
    }

    /** The text of a document, of a newer version if there is one by now; fails if it was removed meanwhile. */
    Future<DocumentText> read(StoredDocument document, Caller caller) {
        return newest(store.of(caller), document).map(found -> found.orElseThrow(() -> notFound(file(document))));
    }

    /** The text of a document, of a newer version if there is one by now; empty if it was removed meanwhile. */
    static Future<Optional<DocumentText>> newest(DocumentStore readable, StoredDocument document) {
        return newest(readable, document, READS);
    }

    private static Future<Optional<DocumentText>> newest(DocumentStore readable, StoredDocument document, int left) {
        return readable.read(List.of(document.namespace()), document.id())
                .compose(found -> found.isPresent() || left <= 1
                        ? Future.succeededFuture(found)
                        : readable.find(document.namespace(), document.source())
                                .compose(now -> now.isEmpty()
                                        ? Future.succeededFuture(Optional.empty())
                                        : newest(readable, now.get(), left - 1)));
    }

    /** There is no such document, or not for this caller. */
    static ToolException notFound(String address) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "Document not found: " + address + ". search shows addresses, multi_get takes a pattern such as *.md.");
    }

    private static StoredDocument one(String address, List<StoredDocument> found) {
        if (found.isEmpty()) {
            throw notFound(address);
        }
        if (found.size() > 1) {
            String which = found.stream()
                    .map(document ->
                            file(document) + " (#" + document.contentHash().substring(0, 12) + ")")
                    .collect(java.util.stream.Collectors.joining(", "));
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "Ambiguous: " + address + " could be " + which + ". Use one of these paths, or more digits.");
        }
        return found.getFirst();
    }
}
