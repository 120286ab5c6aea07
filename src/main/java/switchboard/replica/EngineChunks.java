package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.LibraryRow;
import switchboard.cluster.LibraryTransaction;
import switchboard.cluster.UnusedChunks;
import switchboard.store.DocumentForm;
import switchboard.store.EngineChunk;
import switchboard.store.StoreReplica;
import switchboard.store.StoreReplica.PreparedDocument;

/**
 * Chunks in an engine. A document's row decides which chunks count: those of a new version are written before it, those of the earlier
 * version removed after it, a while later. What a gateway that died has left is removed by any other. Thread-safe.
 */
final class EngineChunks implements ChunkPlace {
    private static final Logger LOG = LoggerFactory.getLogger(EngineChunks.class);

    private static final long SWEEP_MS = 2_000;

    private final String backend;
    private final ChunkEngine engine;
    private final UnusedChunks unused;
    private final StoreReplica replica;
    private final Vertx vertx;
    private final long timer;
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile @Nullable String away;

    EngineChunks(Vertx vertx, String backend, ChunkEngine engine, UnusedChunks unused, StoreReplica replica) {
        this.vertx = vertx;
        this.backend = backend;
        this.engine = engine;
        this.unused = unused;
        this.replica = replica;
        this.timer = vertx.setPeriodic(SWEEP_MS, _ -> look());
        look();
    }

    /** Why the engine does not answer, as of a few seconds ago. */
    Optional<String> away() {
        return Optional.ofNullable(away);
    }

    private void look() {
        sweep();
        Futures.finish(
                engine.health(),
                health -> away = health.ok() ? null : health.detail(),
                failure -> away = String.valueOf(failure.getMessage()));
    }

    @Override
    public Future<Placed> place(PreparedDocument document, Supplier<Future<LibraryRow>> library) {
        return replica.engineForm(document).compose(form -> library.get().compose(row -> {
            Placed placed = new Placed(form.document(), row.incarnation());
            return write(row.incarnation(), form.document().document().id(), form.chunks())
                    .map(placed)
                    .onFailure(_ -> failed(placed));
        }));
    }

    /** The chunks of a document with other vectors by their field, one map for each chunk. */
    Future<List<EngineChunk>> of(DocumentForm form, List<Map<String, float[]>> vectors) {
        return replica.engineChunks(form, vectors);
    }

    /** The chunks of a document with the vectors that its row has, if any. */
    Future<List<EngineChunk>> of(DocumentForm form) {
        return replica.engineChunks(form);
    }

    /** Writes chunks that a transaction is about to use. */
    Future<Void> write(UUID library, String document, List<EngineChunk> chunks) {
        return unused.begin(backend, library, document).compose(_ -> engine.write(library, document, chunks));
    }

    @Override
    public Future<Void> use(LibraryTransaction transaction, Placed placed) {
        if (!transaction.library().incarnation().equals(placed.library())) {
            return Future.failedFuture(LibraryReplacedException.told());
        }
        return transaction
                .useChunks(placed.document().document().id())
                .compose(used -> used
                        ? Future.succeededFuture()
                        : Future.failedFuture(new ToolException(
                                FailureKind.UNAVAILABLE,
                                "Writing the document took too long; nothing was stored. Try again.")));
    }

    @Override
    public Future<Void> leave(LibraryTransaction transaction, String document) {
        return transaction.leaveChunks(backend, document);
    }

    @Override
    public void failed(Placed placed) {
        release(
                Objects.requireNonNull(placed.library()),
                placed.document().document().id());
    }

    /** Chunks that were written are not used, unless their document is there. */
    void release(UUID library, String document) {
        Futures.finish(
                unused.release(backend, library, document),
                _ -> {},
                failure -> LOG.debug("{}: chunks of {} are removed later", backend, document, failure));
    }

    /** Has chunks of documents removed that nobody knows. */
    Future<Void> unknown(UUID library, List<String> documents) {
        return unused.unknown(backend, library, documents);
    }

    @Override
    public Future<Void> drop(LibraryTransaction transaction) {
        return transaction.leaveChunks(backend, "");
    }

    /** Removes what no document uses. */
    private void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            Futures.settle(
                    Futures.repeat(this, EngineChunks::sweepSome),
                    done -> {
                        sweeping.set(false);
                        if (done.failed()) {
                            LOG.debug("{}: unused chunks are removed later", backend, done.cause());
                        }
                    },
                    _ -> sweeping.set(false));
        }
    }

    /** Removes what can be removed; gives itself as long as there may be more. */
    private Future<Optional<EngineChunks>> sweepSome() {
        return unused.claim(backend).compose(all -> {
            Map<UUID, List<UnusedChunks.Unused>> byLibrary =
                    all.stream().collect(Collectors.groupingBy(UnusedChunks.Unused::collection));
            return Futures.oneByOne(byLibrary.entrySet().iterator(), one -> remove(one.getKey(), one.getValue())
                            .recover(this::later))
                    .map(_ -> all.size() == UnusedChunks.PAGE ? Optional.of(this) : Optional.empty());
        });
    }

    /** What could not be removed is tried again, and must not keep the rest. */
    private Future<Void> later(Throwable failure) {
        LOG.warn(
                "{}: chunks that no document uses could not be removed, and are later: {}",
                backend,
                failure.toString());
        return Future.succeededFuture();
    }

    private Future<Void> remove(UUID library, List<UnusedChunks.Unused> some) {
        boolean live = some.getFirst().live();
        List<String> documents = some.stream()
                .filter(one -> !one.current() && !one.document().isEmpty())
                .map(UnusedChunks.Unused::document)
                .toList();
        Future<Void> removed = live
                ? documents.isEmpty() ? Future.succeededFuture() : engine.remove(library, documents)
                : engine.drop(library);
        return removed.compose(_ -> Futures.oneByOne(some.iterator(), unused::gone));
    }

    /** Looks for nothing more to remove, and closes the engine's connections. */
    Future<Void> close() {
        vertx.cancelTimer(timer);
        return engine.close();
    }
}
