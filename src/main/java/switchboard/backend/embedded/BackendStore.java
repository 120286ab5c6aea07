package switchboard.backend.embedded;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;
import switchboard.embed.ModelReadiness;
import switchboard.store.DocumentStore;
import switchboard.store.NamespaceEmbedders;

/** The store of one backend from start to stop, with its embedding models. Thread-safe. */
public final class BackendStore implements Supplier<DocumentStore>, CallerStore {
    private final String backend;
    private final Supplier<Future<DocumentStore>> opener;
    private final NamespaceEmbedders embedders;
    private volatile @Nullable DocumentStore store;

    /**
     * A store that is not open yet.
     *
     * @param backend the backend's id, for messages
     * @param opener opens it
     * @param embedders compute vectors
     */
    public BackendStore(String backend, Supplier<Future<DocumentStore>> opener, NamespaceEmbedders embedders) {
        this.backend = backend;
        this.opener = opener;
        this.embedders = embedders;
    }

    /** Opens the store. Models are loaded on first use. */
    public Future<Void> open() {
        return opener.get().map(also(opened -> store = opened)).mapEmpty();
    }

    /** Runs maintenance. */
    public Future<ToolReply> maintain(BackendRequest.Maintain.Chore chore, CallContext context) {
        return new MaintenanceHandler(embedders).run(get(), chore, context);
    }

    /** Finishes the work under way and closes the store. */
    public Future<Void> close() {
        DocumentStore open = store;
        store = null;
        return open == null ? Future.succeededFuture() : open.close();
    }

    /** Up while the store is open; the detail names the state of the model. */
    public Health health() {
        DocumentStore open = store;
        if (open == null) {
            return Health.down("the store is not open");
        }
        Optional<String> starting = open.starting();
        if (starting.isPresent()) {
            return Health.starting(starting.get());
        }
        Optional<String> unreachable = open.unreachable();
        if (unreachable.isPresent()) {
            return Health.degraded("up, but searches fail: " + unreachable.get());
        }
        List<String> damaged = open.damaged();
        if (!damaged.isEmpty()) {
            return Health.degraded("up, without those that can't be read: " + String.join(", ", damaged)
                    + ". `switchboard doctor` says what to do");
        }
        return embedders.distinct().stream()
                .map(Embedder::readiness)
                .max(Comparator.comparingInt(BackendStore::unready))
                .map(BackendStore::health)
                .orElseGet(Health::up);
    }

    private static int unready(ModelReadiness readiness) {
        return switch (readiness) {
            case ModelReadiness.Ready _ -> 0;
            case ModelReadiness.Idle _ -> 1;
            case ModelReadiness.Loading _ -> 2;
            case ModelReadiness.Failed _ -> 3;
        };
    }

    private static Health health(ModelReadiness vectors) {
        return switch (vectors) {
            case ModelReadiness.Failed failed -> Health.up("up, by keyword only: " + failed.reason());
            case ModelReadiness.Idle _ -> Health.up("up, the model is loaded when it is first needed");
            case ModelReadiness.Loading _ -> Health.up("up, the model is being loaded");
            case ModelReadiness.Ready _ -> Health.up();
        };
    }

    @Override
    public DocumentStore of(Caller caller) {
        return get().seenBy(CallerAccess.of(caller));
    }

    /**
     * The open store, for the gateway's own work.
     *
     * @throws ToolException {@code UNAVAILABLE} before the start and after the stop
     */
    @Override
    public DocumentStore get() {
        DocumentStore open = store;
        if (open == null) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE, "The store of " + backend + " is closed. " + EngineMessageSanitizer.LATER);
        }
        return open;
    }
}
