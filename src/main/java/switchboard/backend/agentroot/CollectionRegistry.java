package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.DocumentDetails;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoreTurn;
import switchboard.store.StoredDocument;
import switchboard.text.ClosestName;

/**
 * The collections that callers may use: those of the owner that the caller is bound to (without a binding, those
 * without an owner), within the caller's scope, as far as they allow the caller. Definitions are stored in a namespace whose
 * name no collection can have. Who may not see a definition finds nothing of the collection: all tools ask here first.
 */
final class CollectionRegistry {
    private static final String DEFINITIONS = "#collections";
    private static final int MAX_COLLECTIONS = ListRequest.MAX_LIMIT;

    private final CallerStore store;

    CollectionRegistry(CallerStore store) {
        this.store = store;
    }

    /** The same in a turn: what it stores needs the turn to last. */
    CollectionRegistry in(StoreTurn turn) {
        return new CollectionRegistry(CallerStore.on(turn.store()));
    }

    /** Whether a namespace of that name is internal to the backend; no collection may have the name. */
    static boolean internal(String space) {
        return space.startsWith("#");
    }

    /** The namespace with the documents of a collection. */
    Namespace namespace(String collection, Caller caller) {
        if (!caller.scope().allows(collection)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "You may not use the collection \"" + collection + "\". status shows those that you may.");
        }
        return Namespace.of(caller, collection);
    }

    /** The definitions that the caller may see, by name. */
    Future<List<CollectionDefinition>> visible(Caller caller) {
        ListRequest all = new ListRequest(
                List.of(definitions(caller)), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, MAX_COLLECTIONS);
        return store.of(caller).list(all).map(page -> page.documents().stream()
                .map(CollectionRegistry::definition)
                .filter(found -> caller.scope().allows(found.name()))
                .sorted(Comparator.comparing(CollectionDefinition::name))
                .toList());
    }

    /** A definition, and the document that it was read from. */
    record StoredDefinition(CollectionDefinition definition, StoredDocument document) {}

    /** The definition of that name, if any. */
    Future<Optional<CollectionDefinition>> find(String name, Caller caller) {
        return stored(name, caller).map(found -> found.map(StoredDefinition::definition));
    }

    /** The same with what a change of it replaces. */
    Future<Optional<StoredDefinition>> stored(String name, Caller caller) {
        namespace(name, caller);
        return store.of(caller)
                .find(definitions(caller), name)
                .map(found -> found.map(document -> new StoredDefinition(definition(document), document)));
    }

    /** The definition of that name; fails if it does not exist. */
    Future<CollectionDefinition> require(String name, Caller caller) {
        return find(name, caller).compose(found -> found.map(Future::succeededFuture)
                .orElseGet(() -> notFound(name, caller).compose(Future::failedFuture)));
    }

    /** Why there is no collection of that name, with the nearest one that the caller may see. */
    Future<ToolException> notFound(String name, Caller caller) {
        return visible(caller)
                .map(all -> ClosestName.of(
                        name, all.stream().map(CollectionDefinition::name).toList()))
                .map(near -> new ToolException(
                        FailureKind.NOT_FOUND,
                        "Collection not found: " + name + "."
                                + near.map(meant -> " Did you mean \"" + meant + "\"?")
                                        .orElse("")
                                + " status lists the collections."));
    }

    /** The namespaces to read: that of the named collection, which must exist, or all that the caller may see. */
    Future<List<Namespace>> reading(@Nullable String collection, Caller caller) {
        if (collection != null) {
            return require(collection, caller).map(found -> List.of(namespace(found.name(), caller)));
        }
        return visible(caller).map(definitions -> namespaces(definitions, caller));
    }

    /** The namespaces of collections that the caller may see. */
    List<Namespace> namespaces(List<CollectionDefinition> definitions, Caller caller) {
        List<Namespace> namespaces = new ArrayList<>();
        definitions.forEach(definition -> namespaces.add(namespace(definition.name(), caller)));
        return namespaces;
    }

    /**
     * Stores a definition.
     *
     * @param known the one that it was made from, which it replaces; fails with {@code CONFLICT} if there is another one by now
     */
    Future<CollectionDefinition> keep(
            CollectionDefinition definition, Optional<StoredDefinition> known, Caller caller) {
        String text = definition.text();
        NewDocument document = new NewDocument(
                new DocumentDetails(
                        definition.name(),
                        definition.name(),
                        "collection",
                        null,
                        DigestUtils.sha256Hex(text),
                        Json.object().put("definition", text),
                        definition.allow()),
                text,
                null,
                List.of());
        return store.of(caller)
                .put(definitions(caller), document, known.map(StoredDefinition::document))
                .map(_ -> definition);
    }

    /** Removes a definition; false if there is another one by now. */
    Future<Boolean> forget(StoredDefinition known, Caller caller) {
        return store.of(caller)
                .delete(List.of(definitions(caller)), known.document().id())
                .map(Optional::isPresent);
    }

    private static CollectionDefinition definition(StoredDocument document) {
        return CollectionDefinition.of(document.metadata().path("definition").asText(), document.allow());
    }

    private static Namespace definitions(Caller caller) {
        return Namespace.of(caller, DEFINITIONS);
    }

    /** The owner of the caller's sessions and memories: the bound owner, without a binding the team. */
    static String person(Caller caller) {
        String owner = caller.owner();
        return owner.isEmpty() ? "team:" + caller.team() : "owner:" + owner;
    }
}
