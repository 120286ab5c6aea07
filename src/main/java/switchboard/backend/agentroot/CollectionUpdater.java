package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.call.CallContext;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentStore;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.StoreTurn;

/**
 * Brings collections up to date with their origins. Each document is committed on its own; an update that stops half-way is continued by the next one.
 */
final class CollectionUpdater {
    /** Maximum number of documents under way if a model takes most of the time, or if documents may be very large. */
    private static final int FEW = 8;

    /** Maximum number of documents under way otherwise; the store commits them together. */
    private static final int MANY = 128;

    /** Bytes of documents under way. */
    private static final int ROOM = 512 << 20;

    private static final String HASH = "content_hash";

    private final Parts parts;

    CollectionUpdater(Parts parts) {
        this.parts = parts;
    }

    /**
     * What an update works with.
     *
     * @param executor prepares documents
     * @param nanos a steady time, which nobody sets
     * @param writes the changes of a document take turns
     */
    record Parts(
            ChunkEmbedders embedders,
            BlockingExecutor executor,
            DocumentPreparation preparation,
            DocumentDescriber describer,
            LongSupplier nanos,
            Bounds bounds,
            KeyedSerialExecutor<DocumentWriteKey> writes) {
        int width() {
            return embedders.isEmpty() ? bounds.width() : FEW;
        }
    }

    /**
     * How much an update takes.
     *
     * @param time after which it begins no further document
     * @param document the largest document in bytes
     */
    record Bounds(Duration time, int document) {
        int width() {
            return Math.clamp(ROOM / document, FEW, MANY);
        }
    }

    /** A document that is stored. */
    record StoredVersion(String id, String hash) {}

    /**
     * Updates the collection that is stored in {@code namespace}.
     *
     * @param turn has all documents, whoever may read them: an update makes the store follow the origin
     */
    Future<UpdateReport> update(
            CollectionDefinition definition,
            DocumentProvider provider,
            Namespace namespace,
            StoreTurn turn,
            CallContext context) {
        long until = parts.nanos().getAsLong() + parts.bounds().time().toNanos();
        context.progress(0, null, "looking for documents");
        return provider.scan(definition.origin(), context).compose(scan -> parts.executor()
                .run(context, scan::missing)
                .compose(missing -> gone(turn.store(), namespace, missing))
                .compose(gone -> provider.unmounted(definition.origin(), gone.keySet(), context)
                        .compose(unseen -> {
                            DocumentProvider.Scan known = scan.without(unseen);
                            return new UpdateRun(
                                            parts,
                                            definition,
                                            namespace,
                                            known,
                                            unseen.isEmpty() ? gone : only(gone, known.missing()),
                                            until,
                                            turn,
                                            context)
                                    .all();
                        })));
    }

    private static Map<String, StoredVersion> only(Map<String, StoredVersion> gone, Predicate<String> missing) {
        return gone.entrySet().stream()
                .filter(one -> missing.test(one.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * The stored documents that no longer exist. Most updates find none, and then need not read the stored documents.
     */
    private static Future<Map<String, StoredVersion>> gone(
            DocumentStore store, Namespace namespace, Predicate<String> missing) {
        return store.facts(namespace, Set.of(), gone(missing, Collectors.counting()))
                .compose(count -> count == 0 ? Future.succeededFuture(Map.of()) : known(store, namespace, missing));
    }

    private static Future<Map<String, StoredVersion>> known(
            DocumentStore store, Namespace namespace, Predicate<String> missing) {
        return store.facts(
                namespace,
                Set.of(HASH),
                gone(
                        missing,
                        Collectors.toMap(
                                MetadataRow::source,
                                document -> new StoredVersion(document.id(), document.one(HASH)))));
    }

    private static <T> Collector<MetadataRow, ?, T> gone(
            Predicate<String> missing, Collector<? super MetadataRow, ?, T> collector) {
        return Collectors.filtering(document -> missing.test(document.source()), collector);
    }
}
