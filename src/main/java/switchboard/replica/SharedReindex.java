package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.ChunkEmbedders;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.Reindex;

/**
 * A run that computes new vectors of shared documents. Of each library one gateway at a time does, because the others get the vectors
 * from the database: they wait, and find nothing left to do, or go on where it was stopped.
 */
final class SharedReindex {
    private final ReplicatedStore store;
    private final Replication replication;
    private final SharedWrites writes;
    private final NamespaceEmbedders embedders;
    private final EmbedListener listener;
    private final AtomicInteger count = new AtomicInteger();

    SharedReindex(
            ReplicatedStore store,
            Replication replication,
            SharedWrites writes,
            NamespaceEmbedders embedders,
            EmbedListener listener) {
        this.store = store;
        this.replication = replication;
        this.writes = writes;
        this.embedders = embedders;
        this.listener = listener;
    }

    /** Returns the number of documents that got vectors here. */
    Future<Integer> run(Lifetime lifetime) {
        Promise<Void> over = Promise.promise();
        lifetime.onCancel(over::tryComplete);
        return replication
                .reindexing()
                .run(() -> all(lifetime), SharedReindex::busy, over.future())
                .map(_ -> count.get());
    }

    private static ToolException busy() {
        return new ToolException(
                FailureKind.OVERLOADED, "Several such commands wait for this gateway already. Try again later.");
    }

    private Future<Void> all(Lifetime lifetime) {
        return replication
                .lookNow()
                .compose(_ ->
                        Futures.oneByOne(store.namespaces().iterator(), namespace -> lacking(namespace, lifetime)));
    }

    private Future<?> lacking(Namespace namespace, Lifetime lifetime) {
        ChunkEmbedders models = embedders.of(namespace);
        if (listener.cancelled() || (models.isEmpty() && replication.chunks().isEmpty())) {
            return Future.succeededFuture();
        }
        if (replication.chunks().isPresent()) {
            return alone(namespace, models, lifetime);
        }
        ListRequest one =
                new ListRequest(List.of(namespace), Reindex.lacking(models), ListRequest.Order.BY_SOURCE, 0, 1);
        return store.list(one)
                .compose(page -> page.total() == 0 ? Future.succeededFuture() : alone(namespace, models, lifetime));
    }

    private Future<?> alone(Namespace namespace, ChunkEmbedders models, Lifetime lifetime) {
        return replication.turn(writes.place(namespace).reindex(), lifetime).compose(turn -> replication
                .lookNow()
                .compose(_ -> written(namespace, models, writes.in(turn)))
                .map(Futures.also(count::set))
                .eventually(turn::end));
    }

    /** Writes what the engine lacks, if there is one, then vectors of other models. */
    private Future<Integer> written(Namespace namespace, ChunkEmbedders models, SharedWrites mine) {
        Optional<EngineReindex> engine = store.engine(mine);
        Future<Integer> completed =
                engine.map(one -> one.complete(namespace, listener)).orElse(Future.succeededFuture(0));
        Reindex.VectorWriter writer =
                engine.<Reindex.VectorWriter>map(one -> one::giveVectors).orElse(mine::giveVectors);
        return completed
                .map(written -> count.get() + written)
                .compose(before -> models.isEmpty()
                        ? Future.succeededFuture(before)
                        : new Reindex(store, writer, models, listener).run(List.of(namespace), before));
    }
}
