package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.ConflictRetry;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.SearchRequest;
import switchboard.store.StoredDocument;

/**
 * The memories of an owner, in a separate namespace of the store. The id is derived from the content, so the same
 * content is the same memory whatever its category.
 */
final class Memories {
    private static final String SPACE = "#memory";
    private static final String FIELD = "metadata.";

    private final CallerStore store;
    private final Clock clock;
    private final KeyedSerialExecutor<DocumentWriteKey> turns = new KeyedSerialExecutor<>();

    Memories(CallerStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** A memory to keep. */
    record NewMemory(
            String content,
            String category,
            double confidence,
            @Nullable String session,
            @Nullable String query) {}

    /** The time at which a memory was stored, and how often it was stored again. */
    record History(
            Instant created,
            Instant updated,
            int accesses,
            @Nullable Instant accessed) {}

    private static Namespace namespace(Caller caller) {
        return new Namespace(CollectionRegistry.person(caller), SPACE);
    }

    private static String id(String content) {
        return "mem-" + DigestUtils.sha256Hex(content).substring(0, 32);
    }

    /** Stores a memory. One that exists already keeps its category and gets the higher confidence. */
    Future<StoredDocument> keep(NewMemory draft, Caller caller) {
        if (draft.content().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "content must not be empty. Say what to remember.");
        }
        Namespace namespace = namespace(caller);
        String id = id(draft.content());
        return turns.run(
                new DocumentWriteKey(namespace, id),
                () -> ConflictRetry.run(
                        () -> store.of(caller).find(namespace, id).compose(known -> store.of(caller)
                                .put(namespace, document(id, draft.content(), merged(draft, known)), known)
                                .map(put -> put.document()))));
    }

    /** Imports a memory with its dates and counts; false if it exists already. */
    Future<Boolean> takeOver(NewMemory draft, History history, Caller caller) {
        Namespace namespace = namespace(caller);
        String id = id(draft.content());
        return turns.run(
                new DocumentWriteKey(namespace, id),
                () -> ConflictRetry.run(() -> store.of(caller)
                        .find(namespace, id)
                        .compose(known -> known.isPresent()
                                ? Future.succeededFuture(false)
                                : store.of(caller)
                                        .put(namespace, document(id, draft.content(), facts(draft, history)), known)
                                        .map(_ -> true))));
    }

    private ObjectNode merged(NewMemory draft, Optional<StoredDocument> known) {
        Instant now = clock.instant();
        if (known.isPresent()) {
            ObjectNode old = known.get().metadata().deepCopy();
            return old.put(
                            "confidence",
                            Math.max(draft.confidence(), old.path("confidence").asDouble()))
                    .put("access_count", old.path("access_count").asInt() + 1)
                    .put("last_accessed_at", now.toString())
                    .put("updated_at", now.toString());
        }
        return facts(draft, new History(now, now, 0, null));
    }

    private static ObjectNode facts(NewMemory draft, History history) {
        return Json.object()
                .put("category", draft.category())
                .put("confidence", draft.confidence())
                .put("session_id", draft.session())
                .put("source_query", draft.query())
                .put("created_at", history.created().toString())
                .put("updated_at", history.updated().toString())
                .put("access_count", history.accesses())
                .put(
                        "last_accessed_at",
                        history.accessed() == null ? null : history.accessed().toString());
    }

    private static NewDocument document(String id, String content, ObjectNode facts) {
        return new NewDocument(
                new DocumentDetails(id, id, "memory", null, DigestUtils.sha256Hex(content), facts),
                content,
                null,
                List.of(Chunk.of(0, content.length())));
    }

    /**
     * Memories that were found.
     *
     * @param reason how the search differed from what was asked, and what it could not see
     */
    record FoundMemories(List<ObjectNode> memories, Optional<String> reason) {}

    /** The memories that fit best. */
    Future<FoundMemories> search(String words, Optional<String> category, int limit, Caller caller) {
        if (words.isBlank()) {
            return Future.succeededFuture(new FoundMemories(List.of(), Optional.empty()));
        }
        SearchRequest request = new SearchRequest(
                words, Optional.empty(), List.of(namespace(caller)), in(category), limit, new Fusion.KeywordOnly());
        return store.of(caller)
                .search(request)
                .map(found -> new FoundMemories(
                        found.hits().stream()
                                .map(hit -> json(
                                                hit.chunk().document(),
                                                hit.chunk().text())
                                        .put("score", ResultFormatter.rounded(hit.score() / (1 + hit.score()))))
                                .toList(),
                        found.differences()));
    }

    private static Filter in(Optional<String> category) {
        return category.map(word -> Filter.equal(FIELD + "category", word)).orElse(new Filter.All());
    }

    /** The latest first. */
    Future<List<ObjectNode>> list(Optional<String> category, int offset, int limit, Caller caller) {
        List<Namespace> namespaces = List.of(namespace(caller));
        return store.of(caller)
                .list(new ListRequest(namespaces, in(category), ListRequest.Order.NEWEST_FIRST, offset, limit))
                .compose(page -> Future.all(page.documents().stream()
                                .map(document -> DocumentAddresses.newest(store.of(caller), document))
                                .toList())
                        .map(texts -> texts.<Optional<switchboard.store.DocumentText>>list().stream()
                                .flatMap(Optional::stream)
                                .map(text -> json(text.document(), text.text()))
                                .toList()));
    }

    /** Removes a memory; false if it does not exist. */
    Future<Boolean> delete(String id, Caller caller) {
        Namespace namespace = namespace(caller);
        return turns.run(
                new DocumentWriteKey(namespace, id), () -> ConflictRetry.run(() -> deleted(namespace, id, caller)));
    }

    private Future<Boolean> deleted(Namespace namespace, String id, Caller caller) {
        return store.of(caller)
                .find(namespace, id)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(false)
                        : store.of(caller)
                                .delete(List.of(namespace), found.get().id())
                                .map(deleted -> {
                                    if (deleted.isEmpty()) {
                                        throw new ToolException(
                                                FailureKind.CONFLICT,
                                                "The memory was stored again at the same time; it is still there. Try again.");
                                    }
                                    return true;
                                }));
    }

    /** The answer of a tool that lists memories. */
    static ToolReply reply(List<ObjectNode> memories) {
        return ToolReply.ok(listed(memories));
    }

    /** The same as JSON, which a tool may add to. */
    static ObjectNode listed(List<ObjectNode> memories) {
        ObjectNode reply = Json.object().put("count", memories.size());
        memories.forEach(reply.putArray("memories")::add);
        return reply;
    }

    /** The memory in the format for agents. */
    static ObjectNode json(StoredDocument document, String content) {
        ObjectNode json = Json.object().put("id", document.source()).put("content", content);
        return json.setAll(document.metadata().deepCopy());
    }
}
