package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.call.CallContext;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.embed.EmbedListener;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentStore;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoredDocument;

/**
 * Brings collections up to date with their origins. Each document is committed on its own; an update that stops half-way is continued by the next one.
 */
final class CollectionUpdater {
    /** A failure that would repeat for every further document. */
    private static final Set<FailureKind> PASSING = Set.of(FailureKind.OVERLOADED, FailureKind.CANCELLED);

    private static final Logger LOG = LoggerFactory.getLogger(CollectionUpdater.class);

    /** Maximum number of documents under way if a model takes most of the time, or if documents may be very large. */
    private static final int FEW = 8;

    /** Maximum number of documents under way otherwise; the store commits them together. */
    private static final int MANY = 128;

    /** Bytes of documents under way. */
    private static final int ROOM = 512 << 20;

    private static final String HASH = "content_hash";

    /** The time that an answer needs to be sent in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Supplier<DocumentStore> store;
    private final ChunkEmbedders embedders;
    private final BlockingExecutor executor;
    private final DocumentPreparation preparation;
    private final DocumentDescriber describer;
    private final Clock clock;
    private final Bounds bounds;
    private final KeyedSerialExecutor<DocumentWriteKey> writes;

    CollectionUpdater(
            Supplier<DocumentStore> store,
            ChunkEmbedders embedders,
            BlockingExecutor executor,
            DocumentPreparation preparation,
            DocumentDescriber describer,
            Clock clock,
            Bounds bounds,
            KeyedSerialExecutor<DocumentWriteKey> writes) {
        this.store = store;
        this.embedders = embedders;
        this.executor = executor;
        this.preparation = preparation;
        this.describer = describer;
        this.clock = clock;
        this.bounds = bounds;
        this.writes = writes;
    }

    /**
     * How much an update takes.
     *
     * @param time after which it begins no further document
     * @param document the largest document in bytes
     */
    record Bounds(Duration time, int document) {
        private int width() {
            return Math.clamp(ROOM / document, FEW, MANY);
        }
    }

    /** A document that is stored. */
    private record StoredVersion(String id, String hash) {}

    /** Updates the collection that is stored in {@code namespace}. */
    Future<UpdateReport> update(
            CollectionDefinition definition, DocumentProvider provider, Namespace namespace, CallContext context) {
        Instant until = clock.instant().plus(bounds.time());
        context.progress(0, null, "looking for documents");
        return provider.scan(definition.origin(), context).compose(scan -> executor.run(context, scan::missing)
                .compose(missing -> gone(namespace, missing))
                .compose(gone -> new UpdateRun(definition, namespace, scan, gone, until, context).all()));
    }

    /**
     * The stored documents that no longer exist. Most updates find none, and then need not read the stored documents.
     */
    private Future<Map<String, StoredVersion>> gone(Namespace namespace, Predicate<String> missing) {
        return store.get()
                .facts(namespace, Set.of(), gone(missing, Collectors.counting()))
                .compose(count -> count == 0 ? Future.succeededFuture(Map.of()) : known(namespace, missing));
    }

    private Future<Map<String, StoredVersion>> known(Namespace namespace, Predicate<String> missing) {
        return store.get()
                .facts(
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

    /** One update. */
    private final class UpdateRun {
        private final CollectionDefinition definition;
        private final Namespace namespace;
        private final DocumentProvider.Scan scan;
        private final Instant until;
        private final CallContext context;
        private final UpdateCounts tally = new UpdateCounts();
        private final Iterator<SourceDocument> sourceDocuments;
        private final AtomicInteger done = new AtomicInteger();
        private final Map<String, StoredVersion> gone;

        /** Documents that no longer exist, by content hash: one with the same content elsewhere was renamed. */
        private final Map<String, StoredVersion> goneByHash = new ConcurrentHashMap<>();

        UpdateRun(
                CollectionDefinition definition,
                Namespace namespace,
                DocumentProvider.Scan scan,
                Map<String, StoredVersion> gone,
                Instant until,
                CallContext context) {
            this.definition = definition;
            this.namespace = namespace;
            this.scan = scan;
            this.until = until;
            this.context = context;
            this.sourceDocuments = scan.items().iterator();
            this.gone = gone;
            gone.values().forEach(one -> goneByHash.put(one.hash(), one));
        }

        Future<UpdateReport> all() {
            scan.skipped().forEach(tally::skipped);
            List<Promise<Void>> workers = java.util.stream.Stream.generate(Promise::<Void>promise)
                    .limit(embedders.isEmpty() ? bounds.width() : FEW)
                    .toList();
            workers.forEach(this::work);
            return Future.join(workers.stream().map(Promise::future).toList())
                    .compose(_ -> rest() == 0 && scan.complete() ? clear() : Future.succeededFuture())
                    .map(_ -> new UpdateReport(
                            tally.reply(definition.name(), rest(), rest() == 0 && scan.complete()), tally.changed()));
        }

        private int rest() {
            return scan.items().size() - done.get();
        }

        /**
         * Processes items until there are none left or the time is over. A loop, because a chain of futures would grow
         * with the items.
         */
        private void work(Promise<Void> end) {
            Optional<SourceDocument> next = take();
            if (next.isEmpty()) {
                end.complete();
                return;
            }
            Futures.settle(
                    one(next.get()),
                    outcome -> {
                        if (outcome.failed() && DiskError.caused(outcome.cause())) {
                            end.fail(outcome.cause());
                            return;
                        } else if (outcome.failed() && passing(outcome.cause())) {
                            // All that follow would meet the same; they are for the next call.
                            tally.stop(reason(outcome.cause()));
                            end.complete();
                            return;
                        }
                        if (outcome.succeeded()) {
                            tally.count(outcome.result());
                        } else {
                            tally.skipped(new Skipped(next.get().path(), reason(outcome.cause())));
                        }
                        context.progress(
                                done.incrementAndGet(),
                                (double) scan.items().size(),
                                next.get().path());
                        work(end);
                    },
                    end::tryFail);
        }

        private static boolean passing(Throwable failure) {
            return failure instanceof ToolException known
                    && PASSING.contains(known.failed().kind());
        }

        private synchronized Optional<SourceDocument> take() {
            // At least one document is written by each call, so that calling again always ends.
            boolean late = tally.written() > 0 && clock.instant().isAfter(until);
            boolean stop = late
                    || tally.stopped()
                    || context.cancelled()
                    || context.remaining().compareTo(MARGIN) < 0;
            return stop || !sourceDocuments.hasNext() ? Optional.empty() : Optional.of(sourceDocuments.next());
        }

        private String reason(Throwable failure) {
            if (failure instanceof ToolException known) {
                return known.failed().message();
            }
            LOG.error("Indexing a document of {} failed", definition.name(), failure);
            return "failed because of a defect; see the gateway's log";
        }

        private Future<Change> one(SourceDocument sourceDocument) {
            Optional<String> version = sourceDocument.version();
            if (version.isEmpty()) {
                return loaded(sourceDocument);
            }
            return store.get().find(namespace, sourceDocument.path()).compose(stored -> {
                boolean same = stored.isPresent()
                        && DocumentMetadata.text(stored.get(), "version").equals(version.get())
                        && current(stored.get());
                return same ? Future.succeededFuture(Change.UNCHANGED) : loaded(sourceDocument);
            });
        }

        private Future<Change> loaded(SourceDocument sourceDocument) {
            return sourceDocument.load().compose(content -> executor.run(
                            context, () -> DigestUtils.sha256Hex(content.bytes()))
                    .compose(
                            hash -> writes.run(new DocumentWriteKey(namespace, sourceDocument.path()), () -> store.get()
                                    .find(namespace, sourceDocument.path())
                                    .compose(stored -> written(sourceDocument, content, hash, stored)))));
        }

        private Future<Change> written(
                SourceDocument sourceDocument,
                SourceDocument.RawContent content,
                String hash,
                Optional<StoredDocument> stored) {
            if (stored.isPresent() && stored.get().contentHash().equals(hash) && current(stored.get())) {
                return Future.succeededFuture(Change.UNCHANGED);
            }
            StoredVersion before = stored.isEmpty() ? goneByHash.remove(hash) : null;
            var documentKey = new DocumentPreparation.DocumentKey(
                    definition.name(),
                    definition.provider(),
                    sourceDocument.path(),
                    sourceDocument.version().orElse(""));
            return prepared(documentKey, content, DocumentPreparation.ModelDescription.NOTHING)
                    .compose(draft -> described(draft, content))
                    .compose(draft -> user(stored, before, content).compose(user -> embedded(draft, user)))
                    .compose(document -> store.get().put(namespace, document))
                    .map(_ -> stored.isPresent() ? Change.CHANGED : before != null ? Change.RENAMED : Change.ADDED);
        }

        private Future<DocumentPreparation.PreparedDocument> prepared(
                DocumentPreparation.DocumentKey documentKey,
                SourceDocument.RawContent content,
                DocumentPreparation.ModelDescription described) {
            return executor.run(
                    context, () -> preparation.prepare(documentKey, content, described, context::cancelled));
        }

        /** Adds a model's description, if a model is configured and answers; otherwise only the rules are used. */
        private Future<DocumentPreparation.PreparedDocument> described(
                DocumentPreparation.PreparedDocument draft, SourceDocument.RawContent content) {
            if (describer.model(namespace.name(), context).isEmpty()
                    || tally.withoutModel()
                    || draft.chunks().isEmpty()) {
                return Future.succeededFuture(draft);
            }
            return describer
                    .ask(draft.documentKey().path(), draft.text().text(), context)
                    .compose(described -> prepared(draft.documentKey(), content, described))
                    .recover(failure -> {
                        tally.withoutModel(reason(failure));
                        return Future.succeededFuture(draft);
                    });
        }

        /** Whether processing the document again would not improve it. Without its models it would not. */
        private boolean current(StoredDocument stored) {
            boolean described = tally.withoutModel()
                    || stored.chunkCount() == 0
                    || DocumentMetadata.text(stored, "told").equals(describer.model(namespace.name(), context));
            return described && embedded(stored);
        }

        private boolean embedded(StoredDocument stored) {
            return DocumentMetadata.current(stored, embedders.name())
                    || (embedders.down() && DocumentMetadata.current(stored, Optional.empty()));
        }

        /** The user's metadata of the previous version, whatever its name, with the provider's current values. */
        private Future<ObjectNode> user(
                Optional<StoredDocument> stored, @Nullable StoredVersion before, SourceDocument.RawContent content) {
            Future<Optional<StoredDocument>> old = stored.isPresent() || before == null
                    ? Future.succeededFuture(stored)
                    : store.get().get(List.of(namespace), before.id());
            return old.map(found -> {
                ObjectNode user =
                        found.map(UserMetadata::of).orElseGet(Json::object).deepCopy();
                return user.setAll(content.facts());
            });
        }

        /** Without its model a document is stored all the same, to be found by its words; the next update tries again. */
        private Future<NewDocument> embedded(DocumentPreparation.PreparedDocument draft, ObjectNode user) {
            return embedders
                    .embed(draft.passages(), new EmbedListener() {
                        @Override
                        public void embedded(int chunks) {}

                        @Override
                        public boolean cancelled() {
                            return context.cancelled();
                        }
                    })
                    .map(vectors -> draft.document(vectors, embedders.name(), user))
                    .recover(failure -> {
                        if (failure instanceof ToolException known
                                && known.failed().kind() == FailureKind.UNAVAILABLE) {
                            tally.withoutVectors(known.failed().message());
                            return Future.succeededFuture(draft.document(List.of(), Optional.empty(), user));
                        }
                        return Future.failedFuture(failure);
                    });
        }

        /** Removes documents that no longer exist. */
        private Future<Void> clear() {
            Promise<Void> end = Promise.promise();
            clear(gone.entrySet().iterator(), end);
            return end.future();
        }

        private void clear(Iterator<Map.Entry<String, StoredVersion>> rest, Promise<Void> end) {
            if (!rest.hasNext()) {
                end.complete();
                return;
            }
            Map.Entry<String, StoredVersion> next = rest.next();
            Futures.finish(
                    store.get().delete(List.of(namespace), next.getValue().id()),
                    found -> {
                        if (found.isPresent()) {
                            tally.removed();
                        }
                        clear(rest, end);
                    },
                    end::tryFail);
        }
    }
}
