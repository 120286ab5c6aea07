package switchboard.backend.agentroot.schedule;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.backend.embedded.ConflictRetry;
import switchboard.call.Json;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoredDocument;

/**
 * Keeps the states of schedules in the store of the collections, in a namespace of each owner: so gateways that share
 * collections share them. Thread-safe.
 */
final class ScheduleStates {
    /** The namespace; no collection can be called so. */
    static final String SPACE = "#schedules";

    private static final String STATE = "state";

    private final Supplier<DocumentStore> store;
    private final KeyedSerialExecutor<Namespace> changes = new KeyedSerialExecutor<>();

    ScheduleStates(Supplier<DocumentStore> store) {
        this.store = store;
    }

    DocumentStore store() {
        return store.get();
    }

    /** All states, by collection. */
    Future<Map<Namespace, ScheduleState>> all() {
        DocumentStore all = store.get();
        return all.refresh().compose(_ -> {
            List<Namespace> spaces = all.namespaces().stream()
                    .filter(space -> space.name().equals(SPACE))
                    .toList();
            Map<Namespace, ScheduleState> found = new HashMap<>();
            return spaces.isEmpty() ? Future.succeededFuture(found) : listed(all, spaces, 0, found);
        });
    }

    private static Future<Map<Namespace, ScheduleState>> listed(
            DocumentStore store, List<Namespace> spaces, int offset, Map<Namespace, ScheduleState> found) {
        return store.list(new ListRequest(
                        spaces, new Filter.All(), ListRequest.Order.BY_SOURCE, offset, ListRequest.MAX_LIMIT))
                .compose(page -> {
                    page.documents()
                            .forEach(document -> found.put(
                                    new Namespace(document.namespace().owner(), document.source()), state(document)));
                    int next = offset + page.documents().size();
                    return next == offset || next >= page.total()
                            ? Future.succeededFuture(found)
                            : listed(store, spaces, next, found);
                });
    }

    /** The state of the schedule of {@code collection}, with what other gateways have written. */
    Future<Optional<ScheduleState>> find(Namespace collection) {
        return found(collection).map(found -> found.map(ScheduleStates::state));
    }

    private Future<Optional<StoredDocument>> found(Namespace collection) {
        DocumentStore all = store.get();
        return all.refresh().compose(_ -> all.find(space(collection), collection.name()));
    }

    /** Changes a state, or a new one that begins {@code now}. */
    Future<ScheduleState> change(Namespace collection, Instant now, UnaryOperator<ScheduleState> change) {
        return changes.run(collection, () -> ConflictRetry.run(() -> changed(collection, now, change)));
    }

    private Future<ScheduleState> changed(Namespace collection, Instant now, UnaryOperator<ScheduleState> change) {
        return found(collection).compose(found -> {
            ScheduleState next =
                    change.apply(found.map(ScheduleStates::state).orElseGet(() -> ScheduleState.begun(now)));
            return store.get()
                    .put(space(collection), document(collection, next), found)
                    .map(_ -> next);
        });
    }

    /** Forgets a state, as if there had never been a schedule. */
    Future<Void> remove(Namespace collection) {
        return changes.run(collection, () -> found(collection)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : store.get()
                                .delete(List.of(space(collection)), found.get().id())
                                .mapEmpty()));
    }

    private static NewDocument document(Namespace collection, ScheduleState state) {
        String text = state.text();
        return new NewDocument(
                new DocumentDetails(
                        collection.name(),
                        collection.name(),
                        "schedule",
                        null,
                        DigestUtils.sha256Hex(text),
                        Json.object().put(STATE, text)),
                text,
                null,
                List.of());
    }

    private static ScheduleState state(StoredDocument document) {
        return ScheduleState.of(document.metadata().path(STATE).asText());
    }

    private static Namespace space(Namespace collection) {
        return new Namespace(collection.owner(), SPACE);
    }
}
