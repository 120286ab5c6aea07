package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.agentroot.CollectionUpdater.StoredVersion;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.embedded.CallerAccess;
import switchboard.backend.embedded.ConflictRetry;
import switchboard.call.CallContext;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoreTurn;
import switchboard.store.StoredDocument;

/**
 * One update of a collection. It makes all documents follow their origin, also those that the caller may not read; the caller
 * learns only of the others. Use once.
 */
final class UpdateRun {
    /** A failure that would repeat for every further document. */
    private static final Set<FailureKind> PASSING = Set.of(FailureKind.OVERLOADED, FailureKind.CANCELLED);

    private static final Logger LOG = LoggerFactory.getLogger(UpdateRun.class);

    /** The time that an answer needs to be sent in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final CollectionUpdater.Parts parts;
    private final CollectionDefinition definition;
    private final Namespace namespace;
    private final DocumentProvider.Scan scan;
    private final long until;
    private final StoreTurn turn;
    private final CallContext context;
    private final DocumentStore store;
    private final DocumentAccess access;
    private final DocumentPermissions permissions;
    private final UpdateCounts tally;
    private final SkippedDocuments skipped;
    private final Iterator<SourceDocument> sourceDocuments;
    private final AtomicInteger done = new AtomicInteger();
    private final Map<String, StoredVersion> gone;

    /** Documents that no longer exist, by content hash: one with the same content elsewhere was renamed. */
    private final Map<String, StoredVersion> goneByHash = new ConcurrentHashMap<>();

    UpdateRun(
            CollectionUpdater.Parts parts,
            CollectionDefinition definition,
            Namespace namespace,
            DocumentProvider.Scan scan,
            Map<String, StoredVersion> gone,
            long until,
            StoreTurn turn,
            CallContext context) {
        this.parts = parts;
        this.definition = definition;
        this.namespace = namespace;
        this.scan = scan;
        this.until = until;
        this.turn = turn;
        this.context = context;
        this.store = turn.store();
        this.access = CallerAccess.of(context.caller());
        this.permissions = new DocumentPermissions(store, namespace, parts.writes());
        this.tally = new UpdateCounts(access);
        this.skipped = new SkippedDocuments(permissions, tally, access);
        this.sourceDocuments = scan.items().iterator();
        this.gone = gone;
        gone.values().forEach(one -> goneByHash.put(one.hash(), one));
    }

    /** Whatever ends it, the report says what was done. */
    Future<UpdateReport> all() {
        return skipped.found(scan)
                .compose(_ -> documents())
                .compose(_ -> seen() ? clear() : Future.succeededFuture())
                .map(_ -> seen())
                .recover(this::ended)
                .map(complete -> tally.report(definition, rest(), complete));
    }

    private Future<Void> documents() {
        List<Promise<Void>> workers = java.util.stream.Stream.generate(Promise::<Void>promise)
                .limit(parts.width())
                .toList();
        workers.forEach(this::work);
        return Future.join(workers.stream().map(Promise::future).toList()).mapEmpty();
    }

    private boolean seen() {
        return rest() == 0 && scan.complete();
    }

    /** A disk that can't be written is an error if nothing was done before. */
    private Future<Boolean> ended(Throwable failure) {
        if (DiskError.caused(failure) && !tally.changed()) {
            return Future.failedFuture(failure);
        }
        tally.stop(reason(failure));
        return Future.succeededFuture(false);
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
                one(DocumentInUpdate.of(next.get())),
                outcome -> {
                    if (outcome.failed()) {
                        // All that follow would meet the same; they are for the next call.
                        tally.stop(reason(outcome.cause()));
                        if (DiskError.caused(outcome.cause())) {
                            end.fail(outcome.cause());
                        } else {
                            end.complete();
                        }
                        return;
                    }
                    progress(
                            done.incrementAndGet(), outcome.result(), next.get().path());
                    work(end);
                },
                end::tryFail);
    }

    /** Of a caller who may not read everything, only what it may read is counted and named. */
    private void progress(int processed, boolean shown, String path) {
        if (access instanceof DocumentAccess.Everything) {
            context.progress(processed, (double) scan.items().size(), path);
        } else if (shown) {
            context.progress(tally.shown(), null, path);
        }
    }

    private boolean passing(Throwable failure) {
        return turn.over().isPresent()
                || DiskError.caused(failure)
                || (failure instanceof ToolException known
                        && PASSING.contains(known.failed().kind()));
    }

    private synchronized Optional<SourceDocument> take() {
        turn.over().ifPresent(tally::stop);
        // At least one document is written by each call, so that calling again always ends.
        boolean late = tally.written() > 0 && parts.nanos().getAsLong() - until > 0;
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

    /** Processes one document, counts it, and says whether the caller learns of it. */
    private Future<Boolean> one(DocumentInUpdate item) {
        return changed(item)
                .map(tally::count)
                .recover(failure ->
                        passing(failure) ? Future.failedFuture(failure) : skipped.one(item, reason(failure)));
    }

    private Future<UpdateCounts.DocumentOutcome> changed(DocumentInUpdate item) {
        Optional<String> version = item.source().version();
        if (version.isEmpty()) {
            return loaded(item);
        }
        return store.find(namespace, item.source().path()).compose(stored -> {
            boolean same = stored.isPresent()
                    && DocumentMetadata.text(stored.get(), "version").equals(version.get())
                    && current(stored.get());
            if (!same) {
                return loaded(item);
            }
            return DocumentMetadata.permissionWasRead(stored.get())
                    ? Future.succeededFuture(
                            UpdateCounts.DocumentOutcome.unchanged(stored.get().allow()))
                    : readPermissionOfStored(item);
        });
    }

    private Future<UpdateCounts.DocumentOutcome> loaded(DocumentInUpdate item) {
        DocumentWriteKey key = new DocumentWriteKey(namespace, item.source().path());
        return item.source()
                .load()
                .compose(content -> withOwnPermission(item, content))
                .compose(content -> parts.executor()
                        .run(context, () -> DigestUtils.sha256Hex(content.bytes()))
                        .compose(hash -> changing(key, () -> store.find(namespace, key.path())
                                .compose(stored -> written(item, content, hash, stored)))));
    }

    /** Changes of one document take turns; what comes from another gateway between is looked at again. */
    private <T> Future<T> changing(DocumentWriteKey key, Supplier<Future<T>> change) {
        return parts.writes().run(key, () -> ConflictRetry.run(change));
    }

    private Future<SourceDocument.RawContent> withOwnPermission(
            DocumentInUpdate item, SourceDocument.RawContent content) {
        return parts.executor()
                .run(context, () -> parts.preparation().withOwnPermission(content))
                .map(also(read -> item.permission().tryComplete(read.permission())))
                .map(SourceDocument.RawContent::requireUnderstood);
    }

    /**
     * Reads the permission of a document that an older Switchboard stored, which did not look for it. It is read from the stored text;
     * nothing is fetched.
     */
    private Future<UpdateCounts.DocumentOutcome> readPermissionOfStored(DocumentInUpdate item) {
        DocumentWriteKey key = new DocumentWriteKey(namespace, item.source().path());
        return changing(key, () -> store.find(namespace, key.path()).compose(found -> {
            StoredDocument stored = found.orElseThrow(
                    () -> new ToolException(FailureKind.CONFLICT, "was removed while it was updated"));
            return store.read(List.of(namespace), stored.id())
                    .map(text -> text.orElseThrow(DocumentPermissions::changed))
                    .compose(text -> item.source()
                            .permission()
                            .compose(permission ->
                                    withOwnPermission(item, DocumentPermissions.stored(text, permission))))
                    .compose(content -> permissions.set(
                            stored, content.allow(), item.source().version().orElse("")));
        }));
    }

    private Future<UpdateCounts.DocumentOutcome> written(
            DocumentInUpdate item, SourceDocument.RawContent content, String hash, Optional<StoredDocument> stored) {
        String version = item.source().version().orElse("");
        if (stored.isPresent() && stored.get().contentHash().equals(hash) && current(stored.get())) {
            return permissions.set(stored.get(), content.allow(), version);
        }
        boolean same = stored.isPresent() && stored.get().contentHash().equals(hash);
        StoredVersion before = stored.isEmpty() ? goneByHash.remove(hash) : null;
        var documentKey = new DocumentPreparation.DocumentKey(
                definition.name(), definition.provider(), item.source().path(), version);
        return prepared(documentKey, content, DocumentPreparation.ModelDescription.NOTHING)
                .compose(draft -> described(draft, content))
                .compose(draft -> old(stored, before).compose(old -> embedded(
                                draft, UserMetadata.carried(old, same, content))
                        .compose(document -> store.put(namespace, document, stored))
                        .map(_ -> new UpdateCounts.DocumentOutcome(
                                stored.isPresent() ? Change.CHANGED : before != null ? Change.RENAMED : Change.ADDED,
                                old.map(StoredDocument::allow).orElse(null),
                                content.allow()))));
    }

    private Future<DocumentPreparation.PreparedDocument> prepared(
            DocumentPreparation.DocumentKey documentKey,
            SourceDocument.RawContent content,
            DocumentPreparation.ModelDescription described) {
        return parts.executor()
                .run(context, () -> parts.preparation().prepare(documentKey, content, described, context::cancelled));
    }

    /** Adds a model's description, if a model is configured and answers; otherwise only the rules are used. */
    private Future<DocumentPreparation.PreparedDocument> described(
            DocumentPreparation.PreparedDocument draft, SourceDocument.RawContent content) {
        if (model().isEmpty() || tally.withoutModel() || draft.chunks().isEmpty()) {
            return Future.succeededFuture(draft);
        }
        return parts.describer()
                .ask(draft.documentKey().path(), draft.text().text(), context)
                .compose(described -> prepared(draft.documentKey(), content, described))
                .recover(failure -> {
                    tally.withoutModel(reason(failure));
                    return Future.succeededFuture(draft);
                });
    }

    private String model() {
        return parts.describer().model(namespace.name(), context);
    }

    /** Whether processing the document again would not improve it. Without its models it would not. */
    private boolean current(StoredDocument stored) {
        boolean described = tally.withoutModel()
                || stored.chunkCount() == 0
                || model().isEmpty()
                || DocumentMetadata.text(stored, "told").equals(model());
        return described && embedded(stored);
    }

    private boolean embedded(StoredDocument stored) {
        return DocumentMetadata.current(stored, parts.embedders().name())
                || (parts.embedders().down() && DocumentMetadata.current(stored, Optional.empty()));
    }

    /** The previous version, whatever its name. */
    private Future<Optional<StoredDocument>> old(Optional<StoredDocument> stored, @Nullable StoredVersion before) {
        return stored.isPresent() || before == null
                ? Future.succeededFuture(stored)
                : store.get(List.of(namespace), before.id());
    }

    /** Without its model a document is stored all the same, to be found by its words; the next update tries again. */
    private Future<NewDocument> embedded(DocumentPreparation.PreparedDocument draft, ObjectNode user) {
        return parts.embedders()
                .embed(draft.passages(), new EmbedListener() {
                    @Override
                    public void embedded(int chunks) {}

                    @Override
                    public boolean cancelled() {
                        return context.cancelled();
                    }
                })
                .map(vectors -> draft.document(vectors, parts.embedders().name(), user))
                .recover(failure -> {
                    if (failure instanceof ToolException known && known.failed().kind() == FailureKind.UNAVAILABLE) {
                        tally.withoutVectors(known.failed().message());
                        return Future.succeededFuture(draft.document(List.of(), Optional.empty(), user));
                    }
                    return Future.failedFuture(failure);
                });
    }

    /** Removes documents that no longer exist. */
    private Future<Void> clear() {
        return Futures.oneByOne(
                gone.entrySet().iterator(), one -> ConflictRetry.run(() -> removed(one.getKey(), one.getValue()))
                        .map(also(found -> found.ifPresent(removed -> tally.removed(removed.allow())))));
    }

    /** Removes a document; another version of it, too. */
    private Future<Optional<StoredDocument>> removed(String path, StoredVersion version) {
        return store.delete(List.of(namespace), version.id())
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(found)
                        : store.find(namespace, path)
                                .compose(now -> now.isEmpty()
                                        ? Future.succeededFuture(now)
                                        : store.delete(
                                                        List.of(namespace),
                                                        now.get().id())
                                                .map(deleted -> Optional.of(
                                                        deleted.orElseThrow(DocumentPermissions::changed)))));
    }
}
